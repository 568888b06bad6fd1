import { useState } from 'react'
import type { AdminUserDetail } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Panel } from '../ui/Panel.tsx'
import styles from './admin.module.css'
import { Change } from './Change.tsx'
import { texts } from './texts.ts'

interface Props {
  user: AdminUserDetail
  isOwn: boolean
}

type Act = 'suspend' | 'lift' | 'correct'

/** Buttons that suspend a user, edit the reason, or lift the suspension. */
export function Suspension({ user, isOwn }: Props) {
  const t = useTexts(texts)
  const formats = useFormats()
  const [act, setAct] = useState<Act>()
  const { is_suspended, suspended_at, suspension_reason } = user
  return (
    <Panel title={t.suspension}>
      {is_suspended ? (
        <>
          <p>{suspended_at && t.suspendedSince(formats.dateTime(suspended_at))}</p>
          <p className={styles.quote}>{suspension_reason ?? t.noReason}</p>
          <div className={styles.buttons}>
            <Button onClick={() => setAct('lift')}>{t.lift}</Button>
            <Button look="plain" onClick={() => setAct('correct')}>
              {t.correct}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className={styles.muted} id="suspension-why">
            {isOwn ? t.ownSuspension : t.suspensionHelp}
          </p>
          <div className={styles.buttons}>
            <Button
              look="danger"
              aria-disabled={isOwn || undefined}
              aria-describedby="suspension-why"
              onClick={() => !isOwn && setAct('suspend')}
            >
              {t.suspend}
            </Button>
          </div>
        </>
      )}
      {act && <Asked act={act} user={user} onClose={() => setAct(undefined)} />}
    </Panel>
  )
}

interface AskedProps {
  act: Act
  user: AdminUserDetail
  onClose: () => void
}

function Asked({ act, user: { id, handle, suspension_reason }, onClose }: AskedProps) {
  const t = useTexts(texts)
  if (act === 'lift') {
    return (
      <Change
        id={id}
        change={{ is_suspended: false }}
        title={t.liftAsk(handle)}
        description={t.liftHelp}
        act={t.lift}
        told={t.wasLifted}
        onClose={onClose}
      />
    )
  }
  const isNew = act === 'suspend'
  return (
    <Change
      id={id}
      change={{ is_suspended: true }}
      title={isNew ? t.suspendAsk(handle) : t.correctAsk}
      description={isNew ? t.suspensionHelp : t.correctHelp}
      act={isNew ? t.suspend : t.save}
      told={isNew ? t.wasSuspended : t.wasCorrected}
      isDangerous={isNew}
      needsReason
      reasonAtFirst={isNew ? '' : (suspension_reason ?? '')}
      onClose={onClose}
    />
  )
}
