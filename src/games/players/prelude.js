/**
 * Runs before the scripts of a game. Removes features that headers cannot block. Replaces features that do not
 * work with an opaque origin: storage, workers by URL, and reading the pixels of pictures and videos.
 */
'use strict'
{
  /** Maximum characters of all saved keys and values together. */
  const LIMIT = 150_000
  const { src: PRELUDE } = document.currentScript
  /**
   * Matches the names of WebRTC interfaces. WebRTC can send packets to any address, and the content security
   * policy does not block it.
   */
  const WEBRTC = /^(?:moz|webkit)?RTC/
  const SCROLLING = /^(?: |Arrow(?:Up|Down|Left|Right)|PageUp|PageDown|Home|End)$/

  if (parent === window) openInFrame()
  for (const name of Object.getOwnPropertyNames(window)) {
    if (WEBRTC.test(name)) delete window[name]
  }
  shieldWrittenFrames()
  swallowKeys()

  provide('localStorage', shelf(saved(), save))
  provide(
    'sessionStorage',
    shelf(new Map(), () => {}),
  )
  provide('Worker', workerByAddress(Worker))
  readAsOwn(HTMLImageElement)
  readAsOwn(HTMLMediaElement)

  /**
   * Replaces a game that was opened as its own page with the page that frames it. In browsers that send
   * `Sec-Fetch-Dest` the server does this.
   */
  function openInFrame() {
    stop()
    location.replace(`${location.pathname}?window`)
  }

  /**
   * Adds this script to inline HTML (`srcdoc`), which the server cannot do. Empties frames with a
   * `javascript:` URL, because their script would run without the prelude.
   */
  function shieldWrittenFrames() {
    const script = `<script src="${PRELUDE}"></script>`
    const shield = (node) => {
      const frames =
        node.localName === 'iframe' ? [node] : (node.querySelectorAll?.('iframe') ?? [])
      for (const frame of frames) {
        const text = frame.getAttribute('srcdoc')
        if (text !== null && !text.startsWith(script)) frame.srcdoc = script + text
        if (frame.src.startsWith('javascript:')) frame.src = 'about:blank'
      }
    }
    const observer = new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) [target, ...addedNodes].forEach(shield)
    })
    const observe = (root) =>
      observer.observe(root, { childList: true, subtree: true, attributeFilter: ['src', 'srcdoc'] })
    observe(document)
    const { attachShadow } = Element.prototype
    Element.prototype.attachShadow = function (options) {
      const root = attachShadow.call(this, options)
      observe(root)
      return root
    }
  }

  /** Stops keys from scrolling the page around the game. Tab still moves the focus out of the game. */
  function swallowKeys() {
    addEventListener('keydown', keepFromScrolling)
    addEventListener('keypress', keepFromScrolling)
    for (const name of ['stopPropagation', 'stopImmediatePropagation']) {
      const native = Event.prototype[name]
      Event.prototype[name] = function () {
        if (this instanceof KeyboardEvent) keepFromScrolling(this)
        native.call(this)
      }
    }
  }

  function keepFromScrolling(event) {
    const { type, key, altKey, ctrlKey, metaKey } = event
    // Space scrolls on keypress, other keys on keydown. Cancelling the keydown of Space would keep games from
    // receiving its keypress.
    if (!SCROLLING.test(key) || type !== (key === ' ' ? 'keypress' : 'keydown')) return
    const isShortcut = /^Arrow(?:Left|Right)$/.test(key) && (altKey || ctrlKey || metaKey)
    const target = event.composedPath()[0]
    if (!isShortcut && !usesKey(target, event) && !canScroll(target, event)) event.preventDefault()
  }

  function usesKey(target, { key, altKey }) {
    if (!(target instanceof HTMLElement)) return false
    if (target.matches('select')) return true
    if (target.isContentEditable || target.matches('textarea')) return !altKey
    if (target.matches('input:not([type=checkbox], [type=button], [type=submit], [type=reset])')) {
      return !altKey && !key.startsWith('Page')
    }
    return key === ' ' && target.matches('button, input, summary, audio, video')
  }

  /** True when the key would scroll the target, an element around it, or this page. */
  function canScroll(target, { key, shiftKey }) {
    const page = document.scrollingElement
    const isSideways = key === 'ArrowLeft' || key === 'ArrowRight'
    const isBack = key === ' ' ? shiftKey : /^(?:ArrowUp|ArrowLeft|PageUp|Home)$/.test(key)
    for (let element = target; element instanceof Element; element = element.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(element)
      const overflow = isSideways ? overflowX : overflowY
      const scrolls = element === page ? overflow !== 'hidden' : /auto|scroll/.test(overflow)
      const [place, inside, whole] = isSideways
        ? [Math.abs(element.scrollLeft), element.clientWidth, element.scrollWidth]
        : [element.scrollTop, element.clientHeight, element.scrollHeight]
      if (scrolls && (isBack ? place > 0 : place + inside < whole - 1)) return true
    }
    return false
  }

  function provide(name, value) {
    Object.defineProperty(window, name, { value, configurable: true, writable: true })
  }

  /**
   * Returns the saved items. The window's name is the only storage that a sandboxed page can read
   * synchronously.
   */
  function saved() {
    try {
      return new Map(Object.entries(JSON.parse(window.name)))
    } catch {
      return new Map()
    }
  }

  /**
   * Saves the items in the window's name, which survives a reload. Also sends them to the surrounding page,
   * which stores them.
   */
  function save(items) {
    const saves = JSON.stringify(Object.fromEntries(items))
    window.name = saves
    if (parent !== window) parent.postMessage({ saves }, '*')
  }

  /**
   * Returns a Storage object for `items`, which calls `changed` after each change (HTML standard, section
   * 12.2.1).
   */
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
          throw new DOMException('The storage quota is exceeded.', 'QuotaExceededError')
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

  /**
   * Returns a Worker class that can load classic workers by URL. Inside these workers, `importScripts` and
   * `fetch` resolve relative URLs against the worker's URL.
   */
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
  for (const name of Object.getOwnPropertyNames(self)) {
    if (${WEBRTC}.test(name)) delete self[name]
  }
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
   * Sets `crossOrigin` on all elements of a class, such as pictures. Otherwise a game cannot read their data,
   * because of its opaque origin.
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
