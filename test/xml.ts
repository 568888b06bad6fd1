import assert from 'node:assert/strict'

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

export class XmlElement {
  readonly name: string
  readonly attributes: Record<string, string>
  readonly children: (XmlElement | string)[] = []

  constructor(name: string, attributes: Record<string, string>) {
    this.name = name
    this.attributes = attributes
  }

  elements(name: string): XmlElement[] {
    return this.children.filter(
      (child): child is XmlElement => typeof child !== 'string' && child.name === name,
    )
  }

  /** Text of the first child with this name. */
  text(name: string): string | undefined {
    const child = this.elements(name)[0]
    assert.ok(!child || child.children.every((part) => typeof part === 'string'))
    return child?.children.join('')
  }
}

/**
 * Parses a strict subset of XML 1.0: elements, attributes in double quotes, text, and ENTITIES. Throws for everything
 * else, so every accepted document is well-formed.
 */
export function parseXml(document: string): XmlElement {
  const head = /^<\?xml version="1\.0" encoding="utf-8"\?>\n/.exec(document)
  assert.ok(head, 'an XML declaration')
  assert.doesNotMatch(document, /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u, 'characters that XML forbids')
  const root = new XmlElement('', {})
  const open = [root]
  const token = /<\/([\w:]+)>|<([\w:]+)((?: [\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy
  token.lastIndex = head[0].length
  while (token.lastIndex < document.length) {
    const from = token.lastIndex
    const found = token.exec(document)
    assert.ok(found, `not well-formed: ${document.slice(from, from + 80)}`)
    const [, closed, opened, attributes = '', isEmpty, text] = found
    const parent = open.at(-1) as XmlElement
    if (closed !== undefined) {
      assert.equal(closed, open.pop()?.name)
      assert.ok(open.length > 0)
    } else if (opened !== undefined) {
      const pairs = [...attributes.matchAll(/ ([\w:]+)="([^"]*)"/g)]
      const names = pairs.map(([, name]) => name)
      assert.equal(new Set(names).size, names.length)
      const element = new XmlElement(
        opened,
        Object.fromEntries(pairs.map(([, name, value]) => [name, decode(value ?? '')])),
      )
      parent.children.push(element)
      if (!isEmpty) open.push(element)
    } else if (text !== undefined && (open.length > 1 || text.trim() !== '')) {
      assert.ok(open.length > 1, 'text outside the root')
      assert.ok(!text.includes(']]>'))
      parent.children.push(decode(text))
    }
  }
  assert.equal(open.length, 1, 'unclosed elements')
  const { children } = root
  assert.equal(children.length, 1, 'one root element')
  return children[0] as XmlElement
}

function decode(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    assert.ok(whole.endsWith(';') && name in ENTITIES, whole)
    return ENTITIES[name] as string
  })
}
