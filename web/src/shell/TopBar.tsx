/** Top bar on a phone, with the links that do not fit into the bottom bar. */
import { Link } from '@tanstack/react-router'
import { Bell, MessageCircle, Plus } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import { Logo } from './Logo.tsx'
import { OwnMenu } from './OwnMenu.tsx'
import { SignInButton } from './SignInButton.tsx'
import styles from './TopBar.module.css'
import { texts } from './texts.ts'
import { useUnreadCount, useUnreadMessageCount } from './unread.ts'

export function TopBar() {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  const unread = useUnreadCount()
  const messages = useUnreadMessageCount()
  return (
    <header className={styles.bar}>
      <Logo />
      <div className={styles.right}>
        {isSignedIn ? (
          <>
            <Link to="/publish" className={styles.icon} aria-label={t.publish}>
              <Plus aria-hidden="true" />
            </Link>
            <Link
              to="/messages"
              className={styles.icon}
              aria-label={
                messages > 0 ? `${t.messages}, ${t.unreadMessages(messages)}` : t.messages
              }
            >
              <MessageCircle aria-hidden="true" />
              {messages > 0 && <span className={styles.dot} />}
            </Link>
            <Link
              to="/notifications"
              className={styles.icon}
              aria-label={unread > 0 ? `${t.notifications}, ${t.unread(unread)}` : t.notifications}
            >
              <Bell aria-hidden="true" />
              {unread > 0 && <span className={styles.dot} />}
            </Link>
          </>
        ) : (
          <SignInButton size="small" />
        )}
        <OwnMenu side="bottom" />
      </div>
    </header>
  )
}
