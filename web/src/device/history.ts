/**
 * Session history with overlays (dialogs, sheets and panels). Each open overlay adds a history entry with the URL of
 * its page, so that Back closes the overlay.
 */
import { createBrowserHistory, type HistoryLocation } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Number of overlays that are open at this entry. Undefined on the page's own entry. */
    overlays?: number
    /** Key of the page below an overlay. Undefined on the page's own entry. */
    page?: string
  }
}

/**
 * Maximum milliseconds to wait for the popstate event of a traversal. A traversal of a frame, such as a game, fires no
 * such event.
 */
const TRAVEL_MS = 1000

let moved: { key: string; href: string } | undefined
// The page's URL may change while an overlay is open. When Back reaches the page's own entry, this listener writes the
// new URL to the entry, before the router's listener runs.
addEventListener('popstate', () => {
  const { state } = window.history
  if (moved && !state?.overlays && state?.['__TSR_key'] === moved.key) {
    History.prototype.replaceState.call(window.history, state, '', moved.href)
  }
  if (!state?.overlays) moved = undefined
})

export const history = createBrowserHistory()
const { push, replace } = history

interface Overlay {
  page: string
  close: () => void
}

const open: Overlay[] = []
/** Navigations that wait for the removal of overlay entries. */
let waiting: (() => void)[] = []
let travel: ReturnType<typeof setTimeout> | undefined
let before = history.location
let cameBack = false
let staysOnPage = false

const depthOf = ({ state }: HistoryLocation) => state.overlays ?? 0
/** Returns the key of the page at a history entry. Entries of overlays have the key of the page below them. */
export const pageOf = ({ state, href }: Pick<HistoryLocation, 'state' | 'href'>): string =>
  state.page ?? state['__TSR_key'] ?? href

/** True when the last navigation opened or closed an overlay, so that the page must not scroll. */
export function isOverlayMove(): boolean {
  return staysOnPage
}

/** True when the viewer reached the page by Back or Forward. The scroll position and the lists are then restored. */
export function isReturn(): boolean {
  return cameBack
}

/** Adds or removes history entries to match the open overlays, then runs the waiting navigations. */
function matchOverlays(): void {
  if (travel) return
  const { location } = history
  const depth = depthOf(location)
  const wanted = waiting.length > 0 ? 0 : openOver(pageOf(location)).length
  const surplus = depth - wanted
  if (surplus > 0) {
    travel = setTimeout(() => {
      travel = undefined
      const { overlays: _, page: __, ...state } = history.location.state
      replace(history.location.href, state, { ignoreBlocker: true })
    }, TRAVEL_MS)
    history.flush()
    history.go(-surplus, { ignoreBlocker: true })
    return
  }
  const ready = waiting
  waiting = []
  for (const navigate of ready) navigate()
  for (let overlays = depth + 1; overlays <= wanted; overlays += 1) {
    const state = { ...location.state, page: pageOf(location), overlays }
    push(location.href, state, { ignoreBlocker: true })
  }
}

history.subscribe(({ location, action: { type } }) => {
  const [from, to] = [pageOf(before), pageOf(location)]
  staysOnPage = from === to
  if (type === 'REPLACE') {
    // Updates the page key of the open overlays, because replacing an entry changes its key.
    if (location.pathname === before.pathname)
      for (const overlay of openOver(from)) overlay.page = to
  } else if (!staysOnPage) cameBack = type !== 'PUSH'
  before = location
  if (type !== 'PUSH' && type !== 'REPLACE') {
    clearTimeout(travel)
    travel = undefined
    if (waiting.length === 0) closeAbove(location)
  }
  queueMicrotask(matchOverlays)
})

function openOver(page: string): Overlay[] {
  return open.filter((overlay) => overlay.page === page)
}

/** Closes the overlays above this history entry, topmost first. Stops at an overlay that refuses to close. */
function closeAbove(location: HistoryLocation): void {
  const cached = openOver(pageOf(location)).slice(0, depthOf(location))
  for (const overlay of open.filter((entry) => !cached.includes(entry)).reverse()) {
    flushSync(overlay.close)
    if (open.includes(overlay)) return
  }
}

history.push = (path, state, options) => {
  if (path === history.location.href && depthOf(history.location) > 0) {
    history.replace(path, state, options)
    return
  }
  noteLink()
  if (travel || depthOf(history.location) > 1) {
    waiting.push(() => push(path, state, options))
    matchOverlays()
  } else if (depthOf(history.location) === 1) {
    // The new page replaces the overlay's entry, so that Back leads to the page below the overlay.
    replace(path, state, options)
    cameBack = false
  } else push(path, state, options)
}

history.replace = (path, state, options) => {
  const { location } = history
  const depth = depthOf(location)
  if (depth === 0 && !travel) replace(path, state, options)
  else if (!travel && pathOf(path) === location.pathname) {
    moved = { key: pageOf(location), href: path }
    replace(path, { ...state, overlays: depth, page: pageOf(location) }, options)
  } else {
    waiting.push(() => replace(path, state, options))
    matchOverlays()
  }
}

function pathOf(href: string): string {
  return new URL(href, location.href).pathname
}

// Removes the overlays' entries after a reload, because no overlay is open then.
if (depthOf(history.location) > 0) {
  moved = { key: pageOf(history.location), href: history.location.href }
  queueMicrotask(matchOverlays)
}

/**
 * Adds a history entry for an overlay while `isOpen` is true. The Back button then calls `onClose` instead of leaving
 * the page.
 */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const overlay = { page: pageOf(history.location), close: () => close() }
    open.push(overlay)
    queueMicrotask(matchOverlays)
    return () => {
      open.splice(open.indexOf(overlay), 1)
      queueMicrotask(matchOverlays)
    }
  }, [isOpen])
}

interface FollowedLink {
  href: string
  /** Index among the page's links with the same `href`. */
  index: number
}

const followed = new Map<string, FollowedLink>()

function linksTo(href: string): HTMLElement[] {
  const links = [...document.querySelectorAll<HTMLElement>('a[href]')]
  return links.filter((link) => link.getAttribute('href') === href)
}

function noteLink(): void {
  const link = document.activeElement?.closest<HTMLElement>('a[href]')
  const href = link?.getAttribute('href')
  const page = pageOf(history.location)
  if (link && href) followed.set(page, { href, index: linksTo(href).indexOf(link) })
  else followed.delete(page)
}

/**
 * Returns the link that the user last followed from a page. Null until the link is rendered, undefined if the
 * user followed none.
 */
export function followedLink(location: Pick<HistoryLocation, 'state' | 'href'>) {
  const link = followed.get(pageOf(location))
  return link && (linksTo(link.href)[link.index] ?? null)
}
