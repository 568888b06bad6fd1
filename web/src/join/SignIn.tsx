import { getRouteApi, Link } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import { Page } from '../ui/Page.tsx'
import styles from './Join.module.css'
import { SignInForm } from './SignInForm.tsx'
import { texts } from './texts.ts'
import { useThen } from './useThen.ts'

const route = getRouteApi('/sign-in')

export function SignIn() {
  const t = useTexts(texts)
  const { then } = route.useSearch()
  useThen(then)
  return (
    <div className={styles.narrow}>
      <Page title={t.signIn} lead={then ? t.signInToGoOn : t.signInLead} width="reading">
        <div className={styles.card}>
          <SignInForm />
        </div>
        <p className={styles.other}>
          {t.noAccount}{' '}
          <Link to="/sign-up" search={true} className={styles.link}>
            {t.signUp}
          </Link>
        </p>
      </Page>
    </div>
  )
}
