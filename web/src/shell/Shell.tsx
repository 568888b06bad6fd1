/** What stands around every page: the way to the others, notices, and whether there is a connection. */
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTexts } from '../language/texts.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { AskToSignIn } from './AskToSignIn.tsx'
import { Navigation } from './Navigation.tsx'
import { OfflineNote } from './OfflineNote.tsx'
import styles from './Shell.module.css'
import { TopBar } from './TopBar.tsx'
import { texts } from './texts.ts'

export function Shell() {
  const t = useTexts(texts)
  const main = useRef<HTMLElement>(null)
  useFocusOnArrival(main)
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
      <Toasts />
    </>
  )
}

/** Moves the focus to a page that was gone to, as a browser does when it loads one. */
function useFocusOnArrival(main: { current: HTMLElement | null }): void {
  const { pathname } = useLocation()
  const arrived = useRef(pathname)
  useEffect(() => {
    if (arrived.current === pathname) return
    arrived.current = pathname
    if (!location.hash) main.current?.focus({ preventScroll: true })
  }, [pathname, main])
}
