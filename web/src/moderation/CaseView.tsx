import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { Case, DataOf } from '#sdk'
import { contentQuery } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { useSite } from '../session/site.ts'
import { useViewer } from '../session/viewer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Loaded } from '../ui/Problem.tsx'
import { Time } from '../ui/Time.tsx'
import { Avatar } from '../ui/User.tsx'
import { type Action, actionsOn, caseQuery, filesOf, KEYS, snapshotOf, useAssign } from './cases.ts'
import { DecisionLines } from './deskParts.tsx'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'
import { texts, wordOf } from './texts.ts'

const route = getRouteApi('/moderation')

interface Props {
  id: string
  onAct: (action: Action) => void
}

export function CaseView({ id, onAct }: Props) {
  const t = useTexts(deskTexts)
  const search = route.useSearch()
  return (
    <div className={styles.case}>
      <Link to="/moderation" search={{ ...search, case: undefined }} className={styles.back}>
        <ArrowLeft />
        {t.back}
      </Link>
      <Loaded query={useQuery(caseQuery(id))} skeleton={<Skeleton height="320px" />}>
        {(data) => <Shown data={data} onAct={onAct} />}
      </Loaded>
    </div>
  )
}

function Shown({ data, onAct }: { data: DataOf<'getCase'>; onAct: Props['onAct'] }) {
  const t = useTexts(deskTexts)
  const { case: item, reports, history } = data
  return (
    <>
      <Head item={item} onAct={onAct} />
      <Panel title={t.subject}>
        <Subject item={item} />
      </Panel>
      {item.decision && (
        <Panel title={t.decided}>
          <DecisionLines decisions={[item.decision]} />
        </Panel>
      )}
      <Reports reports={reports} count={item.report_count} />
      {item.subject_user && (
        <Panel
          title={t.history}
          beside={
            history.length > 0 && (
              <Link
                to="/moderation/decisions"
                search={{ user: item.subject_user.id }}
                className={styles.link}
              >
                {t.showAll}
              </Link>
            )
          }
        >
          {history.length > 0 ? (
            <DecisionLines decisions={history} />
          ) : (
            <p className="fine">{t.noHistory}</p>
          )}
        </Panel>
      )}
    </>
  )
}

function Head({ item, onAct }: { item: Case; onAct: Props['onAct'] }) {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const viewer = useViewer()
  const { mutate: assign, isPending } = useAssign()
  const { id, subject, subject_user: user, assignee, status, opened_at } = item
  const isMine = assignee?.id === viewer?.id
  return (
    <div className={styles.stack}>
      <div className={styles.facts}>
        <h2>
          {wordOf(words.kinds, subject.kind)}
          {user && `: ${user.display_name}`}
        </h2>
        {status === 'decided' && <Badge>{t.decided}</Badge>}
        {assignee && <Badge tone="accent">{t.assignedTo(assignee.display_name)}</Badge>}
        <span className="fine">
          <Time time={opened_at} />
        </span>
      </div>
      {user && (
        <div className={styles.facts}>
          <Avatar user={user} size={28} />
          <span>@{user.handle}</span>
          <LinkButton
            size="small"
            look="plain"
            to="/creators/$handle"
            params={{ handle: user.handle }}
          >
            {t.profile}
          </LinkButton>
          {viewer?.role === 'admin' && (
            <LinkButton size="small" look="plain" to="/admin/members/$id" params={{ id: user.id }}>
              {t.admin}
            </LinkButton>
          )}
        </div>
      )}
      {status === 'open' && (
        <div className={styles.acts}>
          {actionsOn(item, viewer?.role === 'admin').map((action) => (
            <Button
              key={action}
              size="small"
              look={action === 'hide' || action === 'suspend' ? 'danger' : 'quiet'}
              aria-keyshortcuts={KEYS[action]}
              onClick={() => onAct(action)}
            >
              {t.acts[action]}
            </Button>
          ))}
          <Button
            size="small"
            look="plain"
            busy={isPending}
            aria-keyshortcuts="a"
            onClick={() => assign({ id, isAssigned: !isMine })}
          >
            {isMine ? t.release : t.assign}
          </Button>
        </div>
      )}
    </div>
  )
}

function Reports({ reports, count }: { reports: DataOf<'getCase'>['reports']; count: number }) {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const site = useSite()
  return (
    <Panel title={t.reports(count)}>
      <ul className="box" aria-label={t.reports(count)}>
        {reports.map(({ id, reporter, reason, rule_id, note, created_at }) => {
          const rule = site?.rules.find((entry) => entry.id === rule_id)
          return (
            <li key={id} className={styles.line}>
              <strong>{wordOf(words.reasons, reason)}</strong>
              <span className="fine">
                {reporter ? `@${reporter.handle}` : t.hiddenReporter} · <Time time={created_at} />
              </span>
              {rule && <p className="fine">{t.ruleNamed(rule.text)}</p>}
              {note && <p className={styles.text}>{note}</p>}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

/** Subject of a case, as it was when the case was opened. */
function Subject({ item }: { item: Case }) {
  const t = useTexts(deskTexts)
  if (item.snapshot === null) return <p className="fine">{t.gone}</p>
  const snapshot = snapshotOf(item)
  const { title, description, body, bio, handle, display_name, content_id } = snapshot
  const page = pageOf(item.subject, snapshot)
  return (
    <>
      {handle && display_name && (
        <div className={styles.facts}>
          <Avatar
            user={{
              handle,
              display_name,
              avatar_url: snapshot.avatar_url ?? null,
              avatar_sizes: [],
            }}
          />
          <strong>{display_name}</strong> @{handle}
        </div>
      )}
      {title && <p className={styles.name}>{title}</p>}
      {item.subject.kind === 'content' && <Pictures item={item} />}
      {[description, body, bio].map(
        (text) =>
          text && (
            <p key={text} className={styles.said}>
              {text}
            </p>
          ),
      )}
      {content_id && <CommentedContent id={content_id} />}
      {item.subject.kind === 'message' ? (
        <p className="fine">{t.private}</p>
      ) : (
        page && (
          <div>
            <LinkButton size="small" {...page}>
              {t.view}
            </LinkButton>
          </div>
        )
      )}
    </>
  )
}

/** Returns the page that shows a subject. Undefined for messages. */
function pageOf({ kind, id }: Case['subject'], snapshot: ReturnType<typeof snapshotOf>) {
  const { content_id, handle } = snapshot
  if (kind === 'content') return { to: '/contents/$id', params: { id } } as const
  if (content_id) return { to: '/contents/$id', params: { id: content_id }, hash: id } as const
  if (kind === 'post') return { to: '/posts/$id', params: { id } } as const
  return handle ? ({ to: '/creators/$handle', params: { handle } } as const) : undefined
}

const PICTURES = 6

function Pictures({ item }: { item: Case }) {
  const { thumbnail_url } = snapshotOf(item)
  const pictures = filesOf(item).flatMap(({ url, isPicture }) => (isPicture ? [url] : []))
  const urls = pictures.length > 0 ? pictures.slice(0, PICTURES) : [thumbnail_url]
  if (!urls[0]) return null
  return (
    <div className={styles.pictures}>
      {urls.map((url) => url && <img key={url} src={url} alt="" loading="lazy" />)}
    </div>
  )
}

function CommentedContent({ id }: { id: string }) {
  const t = useTexts(deskTexts)
  const { data } = useQuery(contentQuery(id))
  if (!data) return null
  return (
    <p className="fine">
      <Link to="/contents/$id" params={{ id }} className={styles.link}>
        {t.on(data.title)}
      </Link>
    </p>
  )
}
