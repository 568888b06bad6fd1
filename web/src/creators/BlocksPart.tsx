import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Account, UserRef } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { plaza } from '../session/plaza.ts'
import { viewerQuery } from '../session/viewer.ts'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Radios } from '../ui/Field.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Avatar, UserLink } from '../ui/User.tsx'
import { toast } from '../ui/toast.ts'
import { filteredQuery, type FilterKind, texts, useFilter } from './blocks.ts'
import styles from './creators.module.css'

/** Account settings: who may send messages, blocked and muted users, and a link to the user's decisions. */
export function BlocksPart({ account }: { account: Account }) {
  const t = useTexts(texts)
  return (
    <>
      <MessagePolicy account={account} />
      <Filtered kind="block" title={t.blocks} help={t.blocksHelp} none={t.noBlocks} />
      <Filtered kind="mute" title={t.mutes} help={t.mutesHelp} none={t.noMutes} />
      <section className={styles.part}>
        <h3>{t.decisions}</h3>
        <p className="fine">{t.decisionsHelp}</p>
        <div>
          <LinkButton size="small" to="/decisions">
            {t.seeDecisions}
          </LinkButton>
        </div>
      </section>
    </>
  )
}

const POLICIES = ['everyone', 'requests', 'following', 'nobody'] as const
type Policy = (typeof POLICIES)[number]

function MessagePolicy({ account }: { account: Account }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (dm_policy: Policy) => plaza.me.update({ dm_policy }),
    onSuccess: ({ user }) => {
      queries.setQueryData(viewerQuery.queryKey, user)
      toast(t.saved)
    },
  })
  return (
    <div className={styles.policy}>
      <Radios
        legend={t.policy}
        hint={t.policyHelp}
        options={POLICIES.map((policy) => [policy, t[policy]])}
        value={isPending ? variables : (account.dm_policy as Policy)}
        onChange={(policy) => !isPending && mutate(policy)}
      />
      {error && <Problem error={error} />}
    </div>
  )
}

interface FilteredProps {
  kind: FilterKind
  title: string
  help: string
  none: string
}

function Filtered({ kind, title, help, none }: FilteredProps) {
  const query = useInfiniteQuery(filteredQuery(kind))
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      <p className="fine">{help}</p>
      <Entries
        query={query}
        target={({ users }) => users}
        skeleton={
          <Loading>
            <Skeleton height="64px" />
          </Loading>
        }
        empty={<p>{none}</p>}
      >
        {(users) => (
          <ul aria-label={title}>
            {users.map((user) => (
              <Row key={user.id} kind={kind} user={user} />
            ))}
          </ul>
        )}
      </Entries>
    </section>
  )
}

function Row({ kind, user }: { kind: FilterKind; user: UserRef }) {
  const t = useTexts(texts)
  const { mutate, isPending } = useFilter(user)
  const { handle, display_name } = user
  return (
    <li className={styles.row}>
      <Avatar user={user} size={40} />
      <span className={styles.names}>
        <UserLink handle={handle} className="clip">
          {display_name}
        </UserLink>
        <span className="clip fine">@{handle}</span>
      </span>
      <Button size="small" busy={isPending} onClick={() => mutate(`un${kind}`)}>
        {t.end[kind]}
        <span className="unseen"> @{handle}</span>
      </Button>
    </li>
  )
}
