import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ticket } from 'lucide-react'
import { useState } from 'react'
import type { InputOf, Invite } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { Badge } from '../ui/Badge.tsx'
import { Page } from '../ui/Page.tsx'
import { Code, Panel } from '../ui/Panel.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Table, TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './admin.module.css'
import { AdminForm, adminPage, Ask, bindTo, LineField, MomentField, useAct } from './adminParts.tsx'
import { texts } from './joinTexts.ts'

const allQuery = byPages(['admin', 'invites', 'all'], (page, signal) =>
  plaza.registration.listAllInvites({ page, per_page: 50 }, { signal }),
)
const ownQuery = byPages(['admin', 'invites', 'own'], (page, signal) =>
  plaza.registration.listInvites({ page, per_page: 50 }, { signal }),
)

export const Invites = adminPage('invites', () => <Shown isAll />)

export function OwnInvites() {
  const t = useTexts(texts)
  return (
    <Page title={t.ownInvites} lead={t.ownInvitesLead}>
      <Shown />
    </Page>
  )
}

function Shown({ isAll = false }: { isAll?: boolean }) {
  const t = useTexts(texts)
  const query = useInfiniteQuery(isAll ? allQuery : ownQuery)
  return (
    <div className={styles.panels}>
      <NewInvite />
      <Entries
        query={query}
        target={({ invites }) => invites}
        skeleton={<TableSkeleton />}
        empty={
          <Empty icon={<Ticket />} title={t.noInvites}>
            {t.noInvitesHelp}
          </Empty>
        }
      >
        {(invites) => (
          <Table
            label={t.invites}
            heads={[t.note, t.state, t.uses, ...(isAll ? [t.by] : []), t.expires]}
            actions={t.actions}
          >
            {invites.map((invite) => (
              <Row key={invite.id} invite={invite} showsCreator={isAll} />
            ))}
          </Table>
        )}
      </Entries>
    </div>
  )
}

const EMPTY = { max_uses: '1', expires_at: null as string | null, note: '' }

function NewInvite() {
  const t = useTexts(texts)
  const [draft, setDraft] = useState(EMPTY)
  const { mutate, isPending, error, data } = useAct(
    (input: InputOf<'createInvite'>) => plaza.registration.createInvite(input),
    t.inviteCreated,
    () => setDraft(EMPTY),
  )
  const bind = bindTo(draft, setDraft, error)
  const code = data?.invite.code
  const submit = () =>
    mutate({
      max_uses: Number(draft.max_uses),
      ...(draft.expires_at && { expires_at: draft.expires_at }),
      ...(draft.note.trim() && { note: draft.note }),
    })
  return (
    <Panel title={t.newInvite}>
      <AdminForm
        error={error}
        fields={['max_uses', 'expires_at', 'note']}
        submit={t.createInvite}
        isBusy={isPending}
        onSubmit={submit}
      >
        <div className={styles.pair}>
          <LineField {...bind('max_uses')} label={t.maxUses} type="number" min={1} max={100} />
          <MomentField {...bind('expires_at')} label={t.expiresOptional} hint={t.expiresHint} />
        </div>
        <LineField {...bind('note')} label={t.noteOptional} hint={t.noteHint} maxLength={200} />
      </AdminForm>
      <div role="status" className={styles.panels}>
        {code && (
          <>
            <p>{t.inviteOnce}</p>
            <Code text={`${location.origin}/sign-up?invite=${code}`} label={t.inviteLink} />
            <Code text={code} label={t.inviteCode} />
          </>
        )}
      </div>
    </Panel>
  )
}

function Row({ invite, showsCreator }: { invite: Invite; showsCreator: boolean }) {
  const t = useTexts(texts)
  const { id, note, max_uses, use_count, users, expires_at, revoked_at, created_by } = invite
  const state = revoked_at
    ? 'revoked'
    : Date.parse(expires_at) <= Date.now()
      ? 'expired'
      : use_count >= max_uses
        ? 'used'
        : 'live'
  return (
    <tr>
      <td className={styles.reason}>{note ?? t.noNote}</td>
      <td>
        <Badge tone={state === 'live' ? 'good' : 'plain'}>{t.inviteStates[state]}</Badge>
      </td>
      <td>
        {use_count} / {max_uses}
        {users.map(({ handle }) => (
          <Link
            key={handle}
            to="/creators/$handle"
            params={{ handle }}
            className={styles.mentioned}
          >
            @{handle}
          </Link>
        ))}
      </td>
      {showsCreator && <td>@{created_by.handle}</td>}
      <td className={styles.nowrap}>
        <Time time={expires_at} />
      </td>
      <td>
        {state === 'live' && (
          <Ask
            label={t.revoke}
            title={t.revokeAsk}
            description={t.revokeHelp}
            done={t.revoked}
            isDangerous
            act={() => plaza.registration.revokeInvite(id)}
          />
        )}
      </td>
    </tr>
  )
}
