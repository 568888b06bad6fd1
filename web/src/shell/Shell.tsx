import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { lazyPart, useIsConnected, useIsUsed } from '../device/connected.ts'
import { followedLink, isReturn } from '../device/history.ts'
import { useLanguage } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { announcementsQuery, useSiteFace } from '../session/site.ts'
import { useIsAsking, useViewer } from '../session/viewer.ts'
import { DialogPopup, MenuPopup } from '../ui/Dialog.tsx'
import { texts as uiTexts } from '../ui/texts.ts'
import { useToast } from '../ui/toast.ts'
import { Navigation } from './Navigation.tsx'
import styles from './Shell.module.css'
import { texts } from './texts.ts'
import { TopBar } from './TopBar.tsx'

export function Shell() {
  const t = useTexts(texts)
  const main = useRef<HTMLElement>(null)
  // Unmounts the previous page as soon as the next one is pending. Preact would otherwise keep the page without its
  // route, which throws.
  const route = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId })
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
        <Announcements />
        <Unverified />
        <Outlet key={route} />
      </main>
      <AskToSignIn />
      <Notices />
      <Watchers main={main} />
    </>
  )
}

/**
 * Applies changes of the site's name, logo and colour, and moves the focus. A separate component, so that these changes
 * do not render the bars.
 */
function Watchers({ main }: { main: { current: HTMLElement | null } }) {
  useSiteFace()
  useFocusOnArrival(main)
  useFocusOnReturn(main)
  return null
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

/** Maximum milliseconds to wait until a restored list renders the link that the user had followed. */
const RETURN_MS = 5000

function useFocusOnReturn(main: { current: HTMLElement | null }): void {
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation })
  useEffect(() => {
    const { current } = main
    if (!shown || !current || !isReturn()) return undefined
    const focus = () => {
      const link = followedLink(shown)
      const { activeElement } = document
      // Keeps the focus if the user has already moved it.
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

const Toasts = lazyPart(() => import('../ui/Toasts.tsx'), 'Toasts')

function Notices() {
  const t = useTexts(uiTexts)
  // Loads the code of menus and dialogs early, so that they open even if the network fails later.
  const isUsed = useIsUsed()
  useEffect(() => {
    if (!isUsed) return
    void MenuPopup.preload()
    void DialogPopup.preload()
  }, [isUsed])
  const toast = useToast()
  return (
    <section className={styles.place} aria-label={t.notices} aria-live="polite">
      {(isUsed || toast) && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </section>
  )
}

const SignInDialog = lazyPart(() => import('../join/SignIn.tsx'), 'SignInDialog')

function AskToSignIn() {
  const isAsking = useIsAsking()
  return isAsking ? (
    <Suspense>
      <SignInDialog />
    </Suspense>
  ) : null
}

const UnverifiedNote = lazyPart(() => import('../join/UnverifiedNote.tsx'), 'UnverifiedNote')

function Unverified() {
  const viewer = useViewer()
  const isVerified = !viewer || viewer.email_verified || viewer.role === 'admin'
  return isVerified ? null : (
    <Suspense>
      <UnverifiedNote viewer={viewer} />
    </Suspense>
  )
}

const AnnouncementBar = lazyPart(() => import('./AnnouncementBar.tsx'), 'AnnouncementBar')

function Announcements() {
  const { data } = useQuery(announcementsQuery(useLanguage()))
  return data?.some(({ is_read }) => !is_read) ? (
    <Suspense>
      <AnnouncementBar announcements={data} />
    </Suspense>
  ) : null
}

function OfflineNote() {
  const t = useTexts(texts)
  const isConnected = useIsConnected()
  return <div role="status">{!isConnected && <p className={styles.note}>{t.offline}</p>}</div>
}
