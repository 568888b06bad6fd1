import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { sessionsQuery } from './queries.ts'
import { SessionRow } from './SessionRow.tsx'
import styles from './Sessions.module.css'
import { texts } from './texts.ts'
import { useEndOthers } from './useEndSessions.ts'

const SHOWN = 12

/** List of the account's sessions, with buttons that end them. */
export function SessionsPart() {
  const t = useTexts(texts)
  const [showsAll, setShowsAll] = useState(false)
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  if (!sessions) {
    return error ? <Problem error={error} retry={() => void refetch()} /> : <Bones />
  }
  const others = sessions.filter((session) => !session.is_current)
  const shown = showsAll ? sessions : sessions.slice(0, SHOWN)
  return (
    <>
      <div className={styles.top}>
        <p className={styles.help}>{others.length > 0 ? t.sessionsHelp : t.onlyThis}</p>
        {others.length > 0 && <EndOthers ids={others.map(({ id }) => id)} />}
      </div>
      <ul className={styles.sessions}>
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {shown.length < sessions.length && (
        <Button wide look="plain" onClick={() => setShowsAll(true)}>
          {t.showAll(sessions.length)}
        </Button>
      )}
    </>
  )
}

function EndOthers({ ids }: { ids: string[] }) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  const { mutate, isPending, error, reset } = useEndOthers(() => setIsAsking(false))
  return (
    <>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {t.endOthers}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t.endOthersTitle}
        description={t.endOthersHelp(ids.length)}
        act={t.endOthers}
        isDangerous
        isBusy={isPending}
        error={error}
        onConfirm={() => mutate(ids)}
        onClose={() => {
          reset()
          setIsAsking(false)
        }}
      />
    </>
  )
}

function Bones() {
  return (
    <Loading className={styles.sessions}>
      {Array.from({ length: 4 }, (_, at) => (
        <div key={at} className={styles.session}>
          <Skeleton width="40px" height="40px" />
          <div className={styles.about}>
            <Skeleton width="180px" height="20px" />
            <Skeleton width="240px" height="16px" />
          </div>
        </div>
      ))}
    </Loading>
  )
}
