import { Link, useLocation } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import { forget, goOn } from '../session/asking.ts'
import { Dialog } from '../ui/Dialog.tsx'
import styles from './Join.module.css'
import { SignInForm } from './SignInForm.tsx'
import { texts } from './texts.ts'

/** Sign-in dialog for an action that requires an account. The action runs after signing in. */
export function SignInDialog() {
  const t = useTexts(texts)
  const { href } = useLocation()
  return (
    <Dialog isOpen onClose={forget} title={t.signInTitle} description={t.signInToDo}>
      <SignInForm onDone={goOn} takesFocus />
      <p className={styles.other}>
        {t.noAccount}{' '}
        {/* oxlint-disable-next-line unicorn/no-thenable -- a text in the address, nothing to wait for */}
        <Link to="/sign-up" search={{ then: href }} className={styles.link} onClick={forget}>
          {t.signUp}
        </Link>
      </p>
    </Dialog>
  )
}
