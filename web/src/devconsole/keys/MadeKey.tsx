import { useTexts } from '../../language/texts.ts'
import { Code } from '../../ui/Panel.tsx'
import { Once } from '../Once.tsx'
import { texts } from './texts.ts'

interface Props {
  name: string
  rawKey: string | null
  mayWrite: boolean
  onClose: () => void
}

export function MadeKey({ name, rawKey, mayWrite, onClose }: Props) {
  const t = useTexts(texts)
  const sample = { title: t.sampleTitle, body: t.sampleBody }
  return (
    <Once
      title={t.made}
      secrets={[{ label: `${t.rawKey} · ${name}`, value: rawKey }]}
      onClose={onClose}
    >
      {mayWrite && rawKey ? (
        <Code label={t.curl} text={curlOf(rawKey, sample)} />
      ) : (
        <p className="fine">{t.noWrite}</p>
      )}
    </Once>
  )
}

export function curlOf(key: string, content: { title: string; body: string }): string {
  const body = { category: 'hype', type: 'article', ...content }
  return [
    `curl ${location.origin}/api/v1/contents`,
    `  -H 'X-API-Key: ${key}'`,
    `  -H 'Content-Type: application/json'`,
    `  --data '${JSON.stringify(body)}'`,
  ].join(' \\\n')
}
