import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useId, useState } from 'react'
import { type AdminUserDetail, type InputOf, isPlazaError } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Dialog.tsx'
import { FieldError, TextArea } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import { toast } from '../ui/toast.ts'
import styles from './admin.module.css'
import { auditQuery, userQuery } from './queries.ts'
import { texts } from './texts.ts'

type Shown = 'title' | 'description' | 'act' | 'isDangerous' | 'onClose'

interface Props extends Pick<ComponentProps<typeof Confirm>, Shown> {
  id: string
  change: Omit<InputOf<'updateUser'>, 'reason'>
  /** Message to show on success. */
  told: string
  needsReason?: boolean
  reasonAtFirst?: string
}

function Change(props: Props) {
  const { id, change, told, needsReason = false, reasonAtFirst = '', onClose, ...shown } = props
  const t = useTexts(texts)
  const [reason, setReason] = useState(reasonAtFirst)
  const { mutate, isPending, error } = useUserChange(id, told, onClose)
  const refusal = isPlazaError(error, 'LAST_ADMIN')
    ? t.lastAdmin
    : isPlazaError(error, 'SELF_ACTION_FORBIDDEN') && t.selfAction
  const given = reason.trim()
  return (
    <Confirm
      {...shown}
      isOpen
      onClose={onClose}
      missing={
        (needsReason && given === '' && t.reasonMissing) ||
        (needsReason && given === reasonAtFirst && t.reasonUnchanged)
      }
      isBusy={isPending}
      error={refusal ? null : error}
      onConfirm={() => mutate({ ...change, ...(given && { reason: given }) })}
    >
      <TextArea
        label={needsReason ? t.reason : t.reasonOptional}
        hint={t.reasonHint}
        value={reason}
        maxLength={1000}
        required={needsReason}
        onChange={({ target }) => setReason(target.value)}
      />
      <FieldError>{refusal}</FieldError>
    </Confirm>
  )
}

interface ActionProps {
  label: string
  /** Effect of the action, or the reason why the viewer cannot take it. */
  why: string
  /** True on the viewer's own page, where the button does nothing. */
  isOwn: boolean
  isDangerous: boolean
  onAct: () => void
}

/** Button of an action that admins cannot take on themselves. */
export function Action({ label, why, isOwn, isDangerous, onAct }: ActionProps) {
  const id = useId()
  return (
    <>
      <p className={styles.muted} id={id}>
        {why}
      </p>
      <div className={styles.buttons}>
        <Button
          look={isDangerous ? 'danger' : 'quiet'}
          aria-disabled={isOwn || undefined}
          aria-describedby={id}
          onClick={() => !isOwn && onAct()}
        >
          {label}
        </Button>
      </div>
    </>
  )
}

export interface UserProps {
  user: AdminUserDetail
  isOwn: boolean
}

export function Role({ user: { id, handle, role }, isOwn }: UserProps) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  const isAdmin = role === 'admin'
  const close = () => setIsAsking(false)
  return (
    <Panel title={t.role}>
      <Action
        label={isAdmin ? t.demote : t.promote}
        why={isOwn ? t.ownRole : t.roleHelp}
        isOwn={isOwn}
        isDangerous={false}
        onAct={() => setIsAsking(true)}
      />
      {isAsking && (
        <Change
          id={id}
          change={{ role: isAdmin ? 'user' : 'admin' }}
          title={isAdmin ? t.demoteAsk(handle) : t.promoteAsk(handle)}
          description={isAdmin ? t.demoteHelp : t.promoteHelp}
          act={isAdmin ? t.demote : t.promote}
          told={t.roleChanged}
          isDangerous={isAdmin}
          onClose={close}
        />
      )}
    </Panel>
  )
}

type Act = 'suspend' | 'lift' | 'correct'

export function Suspension({ user, isOwn }: UserProps) {
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
        <Action
          label={t.suspend}
          why={isOwn ? t.ownSuspension : t.suspensionHelp}
          isOwn={isOwn}
          isDangerous
          onAct={() => setAct('suspend')}
        />
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

function useUserChange(id: string, told: string, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: InputOf<'updateUser'>) => plaza.users.update(id, change),
    onSuccess: ({ user }) => {
      queries.setQueryData(userQuery(id).queryKey, (cached) => cached && { ...cached, ...user })
      // Refetches the user, because a suspension also changes the number of sessions.
      void queries.invalidateQueries({ queryKey: userQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: auditQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: ['admin', 'members'] })
      toast(told)
      onDone()
    },
  })
}
