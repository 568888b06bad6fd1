import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { AuditEntry, InputOf } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { byPages } from '../lists/paging.ts'
import { texts as moderationTexts } from '../moderation/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { Options, Select, TextField } from '../ui/Field.tsx'
import { Copy } from '../ui/Panel.tsx'
import { Table, TableSkeleton } from '../ui/Table.tsx'
import styles from './admin.module.css'
import { adminPage } from './adminParts.tsx'
import { texts as areaTexts } from './areaTexts.ts'
import { texts as joinTexts } from './joinTexts.ts'
import { texts as siteTexts } from './siteTexts.ts'
import { texts } from './texts.ts'

const route = getRouteApi('/admin/audit')
type Filter = Pick<InputOf<'listAudit'>, 'actor' | 'target' | 'action'>

function auditQuery(filter: Filter) {
  return byPages(['admin', 'audit', 'all', filter], (page, signal) =>
    plaza.users.listAudit({ page, per_page: 50, ...filter }, { signal }),
  )
}

export const Audit = adminPage('audit', Shown)

function Shown() {
  const t = useTexts(texts)
  const area = useTexts(areaTexts)
  const { action, ...ids } = route.useSearch()
  const filter: Filter = { ...ids, ...(action && { action: action as Filter['action'] }) }
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(auditQuery(filter))
  const change = (next: Filter) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true, resetScroll: false })
  const isFiltered = Object.values(filter).some(Boolean)
  return (
    <>
      <div className={styles.filters}>
        <Select
          label={t.what}
          value={filter.action ?? ''}
          onChange={({ target }) =>
            change({ action: (target.value || undefined) as Filter['action'] })
          }
        >
          <option value="">{area.all}</option>
          <Options entries={Object.entries(t.actions)} />
        </Select>
        {(['actor', 'target'] as const).map((name) => (
          <TextField
            key={name}
            label={area.filters[name]}
            value={filter[name] ?? ''}
            placeholder={name === 'actor' ? 'usr_…' : ''}
            autoComplete="off"
            spellCheck="false"
            onChange={({ target }) => change({ [name]: target.value.trim() || undefined })}
          />
        ))}
        {isFiltered && <Button onClick={() => void navigate({ search: {} })}>{t.clear}</Button>}
      </div>
      <Entries
        query={query}
        target={({ audit }) => audit}
        skeleton={<TableSkeleton rows={8} />}
        empty={<p className={styles.muted}>{t.auditEmpty}</p>}
      >
        {(entries) => <AuditTable entries={entries} hasTarget />}
      </Entries>
    </>
  )
}

interface TableProps {
  entries: readonly AuditEntry[]
  /** Shows the target and the changed fields of each entry. Off on a user's page, where the user is the target. */
  hasTarget?: boolean
}

export function AuditTable({ entries, hasTarget = false }: TableProps) {
  const t = useTexts(texts)
  const area = useTexts(areaTexts)
  const heads = [t.when, t.who, t.what, ...(hasTarget ? [area.target] : []), t.reason, t.request]
  return (
    <Table label={t.audit} heads={heads}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} hasTarget={hasTarget} />
      ))}
    </Table>
  )
}

function Entry({ entry, hasTarget }: { entry: AuditEntry; hasTarget: boolean }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { actor, action, before, after, reason, request_id, created_at } = entry
  const roleOf = (role: string) => t.roles[role as keyof typeof t.roles] ?? role
  return (
    <tr>
      <td className={styles.nowrap}>{formats.dateTime(created_at)}</td>
      <td className={`${styles.nowrap} ${styles.actor}`}>
        {actor ? (
          <Link to="/admin/members/$id" params={{ id: actor.id }}>
            @{actor.handle}
          </Link>
        ) : (
          t.operator
        )}
      </td>
      <td className={styles.nowrap}>
        {action === 'role_changed'
          ? t.roleChange(roleOf(String(before?.['role'])), roleOf(String(after?.['role'])))
          : (t.actions[action as keyof typeof t.actions] ?? action)}
        {hasTarget && <AuditChanges entry={entry} />}
      </td>
      {hasTarget && (
        <td className={styles.actor}>
          <Target target={entry.target} />
        </td>
      )}
      <td className={styles.reason}>{reason}</td>
      <td className={styles.copy}>
        {request_id && <Copy text={request_id} label={t.copyRequest(request_id)} />}
      </td>
    </tr>
  )
}

/** Pages of targets, by kind. */
const PAGES: Partial<Record<string, '/admin/members/$id' | '/contents/$id'>> = {
  user: '/admin/members/$id',
  content: '/contents/$id',
}

/**
 * Link to the page of an entry's target, or to the audit entries of a target that has no page. The target `site` is
 * plain text.
 */
function Target({ target: { kind, id } }: Pick<AuditEntry, 'target'>) {
  const t = useTexts(areaTexts)
  const name = t.targets[kind as keyof typeof t.targets] ?? kind
  if (kind === 'site') return name
  // Shortens an id to its last six characters, because ids that were created together begin alike. Page slugs are shown
  // in full: they contain no underscore.
  const label = `${name} ${id.includes('_') ? id.slice(-6) : id}`
  const page = PAGES[kind]
  return (
    <Link
      {...(page ? { to: page, params: { id } } : { to: '/admin/audit', search: { target: id } })}
    >
      {label}
    </Link>
  )
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
type Words = Record<string, string>

/**
 * Shows each changed field's value before and after the action. Renders nothing for a role change, because the text of
 * that action already contains both roles.
 */
function AuditChanges({ entry: { action, before, after } }: { entry: AuditEntry }) {
  const t = useTexts(areaTexts)
  const { nameOf, show } = useWords()
  const names = Object.keys({ ...before, ...after })
  if (names.length === 0 || action === 'role_changed') return null
  return (
    <details className={styles.changes}>
      <summary>{t.details}</summary>
      <dl>
        {names.map((name) => (
          <div key={name}>
            <dt>{nameOf(name)}</dt>
            {before && <dd>− {show(name, before[name])}</dd>}
            {after && <dd>+ {show(name, after[name])}</dd>}
          </div>
        ))}
      </dl>
    </details>
  )
}

/**
 * Returns `nameOf` and `show`, which translate the name and the value of a field. Without a translation, they return
 * the name or the value itself.
 */
function useWords() {
  const area = useTexts(areaTexts)
  const join = useTexts(joinTexts)
  const moderation = useTexts(moderationTexts)
  const site = useTexts(siteTexts)
  const user = useTexts(texts)
  const formats = useFormats()
  const names: Words = { ...site.settings, ...area.languages, ...area.fields }
  const values: Record<string, Words> = {
    ...site.choices,
    ...area.values,
    role: user.roles,
    permissions: user.permissionNames,
    action: moderation.actions,
    rating: moderation.ratings,
    kind: join.kinds,
  }
  const nameOf = (name: string) => names[name] ?? name
  const show = (name: string, value: unknown): string => {
    if (value === null || value === undefined || value === '') return area.none
    if (typeof value === 'boolean') return value ? area.yes : area.no
    if (typeof value === 'number') {
      return name === 'default_quota_bytes' ? formats.bytes(value) : formats.number(value)
    }
    if (Array.isArray(value)) return value.map((item) => show(name, item)).join(', ') || area.none
    if (typeof value === 'object') {
      // Omits the ids of rules and the label `text`, because they tell the reader nothing.
      return Object.entries(value)
        .filter(([key]) => key !== 'id')
        .map(([key, inner]) =>
          key === 'text' ? show(key, inner) : `${nameOf(key)}: ${show(key, inner)}`,
        )
        .join(', ')
    }
    const text = String(value)
    return TIME.test(text) ? formats.dateTime(text) : (values[name]?.[text] ?? text)
  }
  return { nameOf, show }
}
