import type { AuditEntry } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { texts as moderationTexts } from '../moderation/texts.ts'
import styles from './admin.module.css'
import { texts as areaTexts } from './areaTexts.ts'
import { texts as auditTexts } from './auditTexts.ts'
import { texts as joinTexts } from './joinTexts.ts'
import { texts as siteTexts } from './siteTexts.ts'
import { texts } from './texts.ts'

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
type Words = Record<string, string>

/**
 * Shows each changed field's value before and after the action. Renders nothing for a role change, because the text of
 * that action already contains both roles.
 */
export function AuditChanges({ entry: { action, before, after } }: { entry: AuditEntry }) {
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
  const audit = useTexts(auditTexts)
  const join = useTexts(joinTexts)
  const moderation = useTexts(moderationTexts)
  const site = useTexts(siteTexts)
  const user = useTexts(texts)
  const formats = useFormats()
  const names: Words = { ...site.settings, ...area.languages, ...audit.fields }
  const values: Record<string, Words> = {
    ...site.choices,
    ...audit.values,
    role: user.roles,
    permissions: user.permissionNames,
    action: moderation.actions,
    rating: moderation.ratings,
    kind: join.kinds,
  }
  const nameOf = (name: string) => names[name] ?? name
  const show = (name: string, value: unknown): string => {
    if (value === null || value === undefined || value === '') return area.none
    if (typeof value === 'boolean') return value ? audit.yes : audit.no
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
