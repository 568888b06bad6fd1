import { useQuery } from '@tanstack/react-query'
import { Ban, Ellipsis, Flag, VolumeX } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { InputOf, UserRef } from '#sdk'
import { lazyPart } from '../device/connected.ts'
import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Confirm, Menu, type MenuItem } from '../ui/Dialog.tsx'
import { texts, useFilter } from './blocks.ts'
import { creatorQuery } from './queries.ts'

export const ReportDialog = lazyPart(() => import('../moderation/ReportDialog.tsx'), 'ReportDialog')

type Subject = InputOf<'createReport'>['subject']

export interface UserMenuProps {
  user: UserRef
  /** Subject that the menu offers to report. Default: the user. */
  subject?: Subject
  groups?: readonly (readonly MenuItem[])[]
  className?: string | undefined
}

export function UserItemsMenu({ user, subject, groups = [], className }: UserMenuProps) {
  const t = useTexts(texts)
  const { items, dialog, onOpen } = useUserItems(user, subject)
  if (items.length === 0 && groups.flat().length === 0) return null
  return (
    <>
      <Menu
        groups={[...groups, items]}
        onOpen={onOpen}
        trigger={<IconButton icon={<Ellipsis />} label={t.more} className={className ?? ''} />}
      />
      {dialog}
    </>
  )
}

export function Unblock({ user }: { user: UserRef }) {
  const t = useTexts(texts)
  const { mutate, isPending } = useFilter(user)
  return (
    <Button busy={isPending} onClick={() => mutate('unblock')}>
      {t.end.block}
    </Button>
  )
}

/**
 * Returns menu items that block, mute and report a user, and their dialogs. The menu must call `onOpen` when it opens.
 * Returns no items for signed-out viewers and for the viewer's own account.
 */
export function useUserItems(user: UserRef, subject: Subject = { kind: 'user', id: user.id }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const [isOpened, setIsOpened] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const [isReporting, setIsReporting] = useState(false)
  const { mutate, isPending, error, reset } = useFilter(user, () => setIsAsking(false))
  const isOther = viewer != null && viewer.id !== user.id
  const { handle, display_name } = user
  // Waits until the menu first opens, because only its items depend on whether the user is blocked or muted.
  const { data } = useQuery({ ...creatorQuery(handle), enabled: isOther && isOpened })
  const mute = data?.is_muted
    ? { label: t.unmute(handle), onClick: () => mutate('unmute') }
    : { label: t.mute(handle), onClick: () => mutate('mute') }
  const block = data?.is_blocked
    ? { label: t.unblock(handle), onClick: () => mutate('unblock') }
    : { label: t.block(handle), isDangerous: true, onClick: () => setIsAsking(true) }
  const items: MenuItem[] = isOther
    ? [
        { ...mute, icon: <VolumeX /> },
        { ...block, icon: <Ban /> },
        { label: t.report[subject.kind], icon: <Flag />, onClick: () => setIsReporting(true) },
      ]
    : []
  const reporting = isReporting && (
    <Suspense>
      <ReportDialog
        subject={subject}
        title={t.report[subject.kind]}
        onClose={() => setIsReporting(false)}
        onBlock={
          data?.is_blocked
            ? undefined
            : () => {
                setIsReporting(false)
                setIsAsking(true)
              }
        }
      />
    </Suspense>
  )
  const dialog = isOther && (
    <>
      {reporting}
      <Confirm
        isOpen={isAsking}
        onClose={() => {
          setIsAsking(false)
          reset()
        }}
        title={t.blockTitle(display_name)}
        description={t.blockHelp}
        act={t.blockAct}
        isDangerous
        isBusy={isPending}
        error={error}
        onConfirm={() => mutate('block')}
      />
    </>
  )
  return { items, dialog, onOpen: () => setIsOpened(true) }
}
