/*
 * Runs before a game's own scripts. To a page without an origin all files are another origin's, its
 * own too, and the browser's storage is closed. Games do not expect that, so here are stand-ins.
 */
'use strict'
{
  /** Characters of names and values together, as browsers limit it by bytes. */
  const LIMIT = 150_000

  provide('localStorage', shelf(saved(), save))
  provide(
    'sessionStorage',
    shelf(new Map(), () => {}),
  )
  provide('Worker', workerByAddress(Worker))
  readAsOwn(HTMLImageElement)
  readAsOwn(HTMLMediaElement)

  function provide(name, value) {
    Object.defineProperty(window, name, { value, configurable: true, writable: true })
  }

  /** What was saved before stands in the window's name, the one thing to be read at once. */
  function saved() {
    try {
      return new Map(Object.entries(JSON.parse(window.name)))
    } catch {
      return new Map()
    }
  }

  /** The name has it for when this page is loaded again; a client around may keep it for longer. */
  function save(items) {
    const saves = JSON.stringify(Object.fromEntries(items))
    window.name = saves
    if (parent !== window) parent.postMessage({ saves }, '*')
  }

  /** A Storage (HTML standard, section 12.2.1). */
  function shelf(items, changed) {
    const length = () =>
      [...items].reduce((sum, [key, value]) => sum + key.length + value.length, 0)
    const methods = {
      getItem: (key) => items.get(String(key)) ?? null,
      setItem(key, value) {
        const before = items.get(String(key))
        items.set(String(key), String(value))
        if (length() > LIMIT) {
          if (before === undefined) items.delete(String(key))
          else items.set(String(key), before)
          throw new DOMException('There is no room for more.', 'QuotaExceededError')
        }
        changed(items)
      },
      removeItem(key) {
        if (items.delete(String(key))) changed(items)
      },
      clear() {
        items.clear()
        changed(items)
      },
      key: (index) => [...items.keys()][index] ?? null,
      get length() {
        return items.size
      },
    }
    return new Proxy(methods, {
      get: (_, key) => (key in methods ? methods[key] : items.get(String(key))),
      set(_, key, value) {
        methods.setItem(key, value)
        return true
      },
      has: (_, key) => key in methods || items.has(String(key)),
      deleteProperty(_, key) {
        methods.removeItem(key)
        return true
      },
      ownKeys: () => [...items.keys()],
      getOwnPropertyDescriptor(_, key) {
        const value = items.get(String(key))
        return value === undefined
          ? undefined
          : { value, writable: true, enumerable: true, configurable: true }
      },
    })
  }

  /** Starts a classic worker by an address of this game's, and lets it load more by its own. */
  function workerByAddress(Native) {
    return class extends Native {
      constructor(address, options) {
        const url = new URL(address, document.baseURI)
        if (url.protocol === 'blob:' || url.protocol === 'data:' || options?.type === 'module') {
          super(address, options)
          return
        }
        const base = JSON.stringify(url.href)
        const loader = `{
  const at = (address) => new URL(address, ${base}).href
  const { importScripts, fetch } = self
  self.importScripts = (...addresses) => importScripts.apply(self, addresses.map(at))
  self.fetch = (what, options) =>
    fetch.call(self, what instanceof Request ? what : at(what), options)
}
importScripts(${base})`
        super(URL.createObjectURL(new Blob([loader], { type: 'text/javascript' })), options)
      }
    }
  }

  /**
   * Pictures and sounds that may be drawn on a canvas and read again, as a page may with its own:
   * those that scripts make are asked for so at once, those of the page when they appear.
   */
  function readAsOwn(Element) {
    const ask = (element) => {
      if (element.crossOrigin === null) element.crossOrigin = 'anonymous'
    }
    const { set, ...src } = Object.getOwnPropertyDescriptor(Element.prototype, 'src')
    Object.defineProperty(Element.prototype, 'src', {
      ...src,
      set(value) {
        ask(this)
        set.call(this, value)
      },
    })
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) if (node instanceof Element) ask(node)
      }
    }).observe(document, { childList: true, subtree: true })
  }
}
