import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminUserDetail } from '#sdk'
import { type Choices, ErasureChoices } from '../account/settings.tsx'
import { defineTexts, useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import { TextArea } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import { toast } from '../ui/toast.ts'
import { Action, type UserProps } from './Change.tsx'
import { texts as adminTexts } from './texts.ts'

export function EraseUser({ user, isOwn }: UserProps) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Panel title={t.erase}>
      <Action
        label={t.erase}
        why={isOwn ? t.own : t.help}
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
  const admin = useTexts(adminTexts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [choices, setChoices] = useState<Choices>({ contents: 'erase', texts: 'erase' })
  const [reason, setReason] = useState('')
  return (
    <ConfirmRequest
      isOpen
      onClose={onClose}
      title={t.title(user.handle)}
      description={t.warning}
      act={t.erase}
      isDangerous
      missing={reason.trim() === '' && admin.reasonMissing}
      request={() => plaza.users.erase(user.id, { ...choices, reason: reason.trim() })}
      onDone={() => {
        toast(t.erased, { isForNextPage: true })
        void queries.invalidateQueries({ queryKey: ['admin', 'members'] })
        void navigate({ to: '/admin/members' })
      }}
    >
      <ErasureChoices choices={choices} onChange={setChoices} />
      <TextArea
        label={admin.reason}
        hint={admin.reasonHint}
        value={reason}
        maxLength={1000}
        required
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmRequest>
  )
}

const texts = defineTexts({
  ko: {
    erase: '계정 삭제',
    help: '기다리지 않고 바로 삭제해요. 되돌릴 수 없으니, 잠시 막으려면 이용 정지를 쓰세요.',
    own: '내 계정은 계정 설정의 내 데이터에서 삭제할 수 있어요.',
    title: (handle: string) => `@${handle}님의 계정을 삭제할까요?`,
    warning:
      '바로 로그아웃되고 프로필과 좋아요, 팔로우, API 키가 사라져요. 보낸 메시지는 받은 사람에게 남아요. 되돌릴 수 없어요.',
    erased: '계정을 삭제했어요',
  },
  en: {
    erase: 'Delete account',
    help: 'Deletes the account at once, for good. To lock it for a while, suspend the user instead.',
    own: 'You can delete your own account in your account settings, under “Your data”.',
    title: (handle) => `Delete the account of @${handle}?`,
    warning:
      "They're signed out immediately, and their profile, likes, follows and API keys are gone. Messages they sent stay with the people who received them. You can't undo this.",
    erased: 'Account deleted',
  },
})
