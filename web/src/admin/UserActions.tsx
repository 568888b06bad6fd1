import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { type AdminUserDetail, type InputOf, isPlazaError } from '#sdk'
import { type Choices, ErasureChoices } from '../account/settings.tsx'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { byPages } from '../lists/paging.ts'
import { isMissing, plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm, ConfirmRequest } from '../ui/Dialog.tsx'
import { FieldError, TextArea } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import { toast } from '../ui/toast.ts'
import styles from './admin.module.css'
import { texts } from './texts.ts'

export function userQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'member', id],
    queryFn: async ({ signal }) => (await plaza.users.get(id, {}, { signal })).user,
    throwOnError: (error: Error) => isMissing(error),
  })
}

export function auditQuery(id: string) {
  return byPages(['admin', 'audit', id], (page, signal) =>
    plaza.users.listAuditEntries(id, { page }, { signal }),
  )
}

const CHANGES = {
  promote: { role: 'admin' },
  demote: { role: 'user' },
  suspend: { is_suspended: true },
  lift: { is_suspended: false },
  correct: { is_suspended: true },
} satisfies Record<string, InputOf<'updateUser'>>

type Act = keyof typeof CHANGES

interface Props {
  act: Act
  user: AdminUserDetail
  onClose: () => void
}

/**
 * Dialog with a field for the reason of a change. A suspension needs a reason, and a correction needs a new one.
 */
function Change({ act, user: { id, handle, suspension_reason }, onClose }: Props) {
  const t = useTexts(texts)
  const before = act === 'correct' ? (suspension_reason ?? '') : ''
  const [reason, setReason] = useState(before)
  const needsReason = act === 'suspend' || act === 'correct'
  const given = reason.trim()
  const [title, description, label, done] = {
    promote: [t.promoteAsk(handle), t.promoteHelp, t.promote, t.roleChanged],
    demote: [t.demoteAsk(handle), t.demoteHelp, t.demote, t.roleChanged],
    suspend: [t.suspendAsk(handle), t.suspensionHelp, t.suspend, t.wasSuspended],
    lift: [t.liftAsk(handle), t.liftHelp, t.lift, t.wasLifted],
    correct: [t.correctAsk, t.correctHelp, t.save, t.wasCorrected],
  }[act] as [string, string, string, string]
  const { mutate, isPending, error } = useUserChange(id, done, onClose)
  const refusal = isPlazaError(error, 'LAST_ADMIN')
    ? t.lastAdmin
    : isPlazaError(error, 'SELF_ACTION_FORBIDDEN') && t.selfAction
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={title}
      description={description}
      act={label}
      isDangerous={act === 'demote' || act === 'suspend'}
      missing={
        (needsReason && given === '' && t.reasonMissing) ||
        (needsReason && given === before && t.reasonUnchanged)
      }
      isBusy={isPending}
      error={refusal ? null : error}
      onConfirm={() => mutate({ ...CHANGES[act], ...(given && { reason: given }) })}
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
function Action({ label, why, isOwn, isDangerous, onAct }: ActionProps) {
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

interface UserProps {
  user: AdminUserDetail
  isOwn: boolean
}

export function Role({ user, isOwn }: UserProps) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  const act = user.role === 'admin' ? 'demote' : 'promote'
  return (
    <Panel title={t.role}>
      <Action
        label={t[act]}
        why={isOwn ? t.ownRole : t.roleHelp}
        isOwn={isOwn}
        isDangerous={false}
        onAct={() => setIsAsking(true)}
      />
      {isAsking && <Change act={act} user={user} onClose={() => setIsAsking(false)} />}
    </Panel>
  )
}

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
      {act && <Change act={act} user={user} onClose={() => setAct(undefined)} />}
    </Panel>
  )
}

function useUserChange(id: string, notice: string, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: InputOf<'updateUser'>) => plaza.users.update(id, change),
    onSuccess: ({ user }) => {
      queries.setQueryData(userQuery(id).queryKey, (cached) => cached && { ...cached, ...user })
      // Refetches the user, because a suspension also changes the number of sessions.
      void queries.invalidateQueries({ queryKey: userQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: auditQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: ['admin', 'members'] })
      toast(notice)
      onDone()
    },
  })
}

export function EraseUser({ user, isOwn }: UserProps) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Panel title={t.erase}>
      <Action
        label={t.erase}
        why={isOwn ? t.ownErase : t.eraseHelp}
        isOwn={isOwn}
        isDangerous
        onAct={() => setIsAsking(true)}
      />
      {isAsking && <EraseDialog user={user} onClose={() => setIsAsking(false)} />}
    </Panel>
  )
}

function EraseDialog({ user, onClose }: { user: AdminUserDetail; onClose: () => void }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [choices, setChoices] = useState<Choices>({ contents: 'erase', texts: 'erase' })
  const [reason, setReason] = useState('')
  return (
    <ConfirmRequest
      isOpen
      onClose={onClose}
      title={t.eraseAsk(user.handle)}
      description={t.eraseWarning}
      act={t.erase}
      isDangerous
      missing={reason.trim() === '' && t.reasonMissing}
      request={() => plaza.users.erase(user.id, { ...choices, reason: reason.trim() })}
      onDone={() => {
        toast(t.wasErased, { isForNextPage: true })
        void queries.invalidateQueries({ queryKey: ['admin', 'members'] })
        void navigate({ to: '/admin/members' })
      }}
    >
      <ErasureChoices choices={choices} onChange={setChoices} />
      <TextArea
        label={t.reason}
        hint={t.reasonHint}
        value={reason}
        maxLength={1000}
        required
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmRequest>
  )
}
