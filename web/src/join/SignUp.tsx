import { getRouteApi, Link } from '@tanstack/react-router'
import { DoorClosed } from 'lucide-react'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'
import styles from './Join.module.css'
import { SignUpForm } from './SignUpForm.tsx'
import { texts } from './texts.ts'
import { useProof } from './useProof.ts'
import { useThen } from './entering.ts'

const route = getRouteApi('/sign-up')

export function SignUp() {
  const t = useTexts(texts)
  const { then } = route.useSearch()
  const content = useProof()
  useThen(then)
  const { proof } = content
  const isClosed = proof.state === 'failed' && isPlazaError(proof.error, 'CAPTCHA_NOT_CONFIGURED')
  return (
    <div className={styles.narrow}>
      <Page title={t.signUp} lead={isClosed ? undefined : t.signUpLead} width="reading">
        {isClosed ? (
          <Empty
            icon={<DoorClosed aria-hidden="true" />}
            title={t.closed}
            action={t.lookAround}
            link={{ to: '/' }}
          >
            {t.closedHelp}
          </Empty>
        ) : (
          <div className={styles.card}>
            <SignUpForm content={content} />
          </div>
        )}
        <p className={styles.other}>
          {t.hasAccount}{' '}
          <Link to="/sign-in" search={true} className={styles.link}>
            {t.signIn}
          </Link>
        </p>
      </Page>
    </div>
  )
}
