import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { useViewer } from '../session/viewer.ts'
import { conversationsQuery } from '../shell/unread.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { TextField } from '../ui/Field.tsx'
import { fieldErrorsOf } from '../ui/fieldErrors.ts'
import styles from './StartDialog.module.css'
import { texts } from './texts.ts'

/** Maximum number of followed users in the list. */
const FOLLOWED = 100

interface Props {
  isOpen: boolean
  onClose: () => void
}

/** Dialog that opens a conversation with a user. Creates the conversation if needed. */
export function StartDialog({ isOpen, onClose }: Props) {
  const t = useTexts(texts)
  const [handle, setHandle] = useState('')
  const close = () => {
    onClose()
    setHandle('')
    open.reset()
  }
  const open = useOpen(close)
  const wanted = handle.trim().replace(/^@/, '')
  return (
    <Confirm
      isOpen={isOpen}
      onClose={close}
      title={t.startTitle}
      description={t.startHelp}
      act={t.open}
      missing={wanted === '' && t.handleMissing}
      isBusy={open.isPending}
      error={open.problem}
      onConfirm={() => open.mutate(wanted)}
    >
      <TextField
        label={t.handle}
        value={handle}
        onChange={({ target }) => setHandle(target.value)}
        placeholder="@"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={open.fieldError}
      />
      {isOpen && <Followed filter={wanted} onChoose={(chosen) => open.mutate(chosen)} />}
    </Confirm>
  )
}

function useOpen(onOpened: () => void) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (handle: string) => plaza.conversations.create({ handle }),
    onSuccess: async ({ conversation: { id } }) => {
      onOpened()
      void queries.invalidateQueries({ queryKey: conversationsQuery.queryKey })
      await navigate({ to: '/messages/$id', params: { id } })
    },
  })
  const fieldError = fieldErrorsOf(error)['handle']
  return { mutate, reset, isPending, fieldError, problem: fieldError ? null : error }
}

interface FollowedProps {
  filter: string
  onChoose: (handle: string) => void
}

/** List of the users whom the viewer follows and whose name or handle contains `filter`. */
function Followed({ filter, onChoose }: FollowedProps) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const handle = viewer?.handle ?? ''
  const { data } = useQuery({
    queryKey: ['messages', 'followed', handle],
    queryFn: ({ signal }) =>
      plaza.creators.listFollowing(handle, { per_page: FOLLOWED }, { signal }),
    enabled: handle !== '',
  })
  if (!data || data.users.length === 0) return null
  const part = filter.toLocaleLowerCase()
  const users = data.users.filter(({ handle: other, display_name }) =>
    [other, display_name.toLocaleLowerCase()].some((text) => text.includes(part)),
  )
  return (
    <div className={styles.followed}>
      <p className={styles.label}>{t.following}</p>
      {users.length === 0 && <p className={styles.none}>{t.noneFollowed}</p>}
      <ul className={styles.people}>
        {users.map((user) => (
          <li key={user.id}>
            <button type="button" className={styles.person} onClick={() => onChoose(user.handle)}>
              <Avatar person={user} size={32} />
              <span className={styles.name}>{user.display_name}</span>
              <span className={styles.handle}>@{user.handle}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
