/** Layout of every page: navigation, notices and the offline message. */
import { Outlet, useLocation, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { followedLink, isReturn } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import { AskToSignIn } from './AskToSignIn.tsx'
import { Navigation } from './Navigation.tsx'
import { Notices } from './Notices.tsx'
import { OfflineNote } from './OfflineNote.tsx'
import styles from './Shell.module.css'
import { TopBar } from './TopBar.tsx'
import { texts } from './texts.ts'

export function Shell() {
  const t = useTexts(texts)
  const main = useRef<HTMLElement>(null)
  useFocusOnArrival(main)
  useFocusOnReturn(main)
  return (
    <>
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {t.skip}
      </a>
      <TopBar />
      <Navigation />
      <main ref={main} id="main" tabIndex={-1} className={styles.main}>
        <OfflineNote />
        <Outlet />
      </main>
      <AskToSignIn />
      <Notices />
    </>
  )
}

/** Moves the focus to the content of a newly opened page, as browsers do after loading a document. */
function useFocusOnArrival(main: { current: HTMLElement | null }): void {
  const { pathname } = useLocation()
  const arrived = useRef(pathname)
  useEffect(() => {
    if (arrived.current === pathname) return
    arrived.current = pathname
    if (!location.hash) main.current?.focus({ preventScroll: true })
  }, [pathname, main])
}

/** Maximum milliseconds to wait until a restored list renders the followed link. */
const RETURN_MS = 5000

/** After Back, moves the focus to the link that the user had followed from this page. */
function useFocusOnReturn(main: { current: HTMLElement | null }): void {
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation })
  useEffect(() => {
    const { current } = main
    if (!shown || !current || !isReturn()) return undefined
    const focus = () => {
      const link = followedLink(shown)
      const { activeElement } = document
      // Stops if the user has moved the focus during the wait.
      const isOver = activeElement !== current && activeElement !== document.body
      if (link && !isOver) link.focus({ preventScroll: true })
      return link !== null || isOver
    }
    if (focus()) return undefined
    const changes = new MutationObserver(() => focus() && changes.disconnect())
    changes.observe(current, { childList: true, subtree: true })
    const timer = setTimeout(() => changes.disconnect(), RETURN_MS)
    return () => {
      clearTimeout(timer)
      changes.disconnect()
    }
  }, [shown, main])
}
