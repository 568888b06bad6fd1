import { useTexts } from '../../language/texts.ts'
import { Select, TextField } from '../../ui/Field.tsx'
import styles from '../console.module.css'
import { texts } from './texts.ts'

const DAY_MS = 24 * 60 * 60_000
const DAYS = [7, 30, 90, 365]

/** Expiry of a key: a number of days, a date (YYYY-MM-DD), or none. */
export type Expiry = { days: number } | { date: string } | 'none'
export const SUGGESTED: Expiry = { days: 90 }

/**
 * Converts an expiry to the API's format. Returns null for no expiry, and undefined when the date is missing
 * or past.
 */
export function endOf(expiry: Expiry, now = Date.now()): string | null | undefined {
  if (expiry === 'none') return null
  if ('days' in expiry) return new Date(now + expiry.days * DAY_MS).toISOString()
  // The key is valid until the end of the chosen day in the viewer's time zone.
  const end = new Date(`${expiry.date}T23:59:59`)
  return end.getTime() > now ? end.toISOString() : undefined
}

interface Props {
  expiry: Expiry
  onChange: (expiry: Expiry) => void
  error?: string | undefined
}

export function ExpiryChoice({ expiry, onChange, error }: Props) {
  const t = useTexts(texts)
  const isDate = expiry !== 'none' && 'date' in expiry
  const value = expiry === 'none' ? 'none' : isDate ? 'date' : String(expiry.days)
  const choose = (chosen: string) => {
    if (chosen === 'none') onChange('none')
    else onChange(chosen === 'date' ? { date: '' } : { days: Number(chosen) })
  }
  return (
    <div className={styles.form}>
      <Select
        label={t.expiry}
        hint={t.expiryHint}
        error={isDate ? undefined : error}
        value={value}
        onChange={({ target }) => choose(target.value)}
      >
        {DAYS.map((days) => (
          <option key={days} value={days}>
            {t.expiryDays(days)}
          </option>
        ))}
        <option value="date">{t.expiryDate}</option>
        <option value="none">{t.endless}</option>
      </Select>
      {isDate && (
        <TextField
          label={t.date}
          type="date"
          error={error}
          value={expiry.date}
          onChange={({ target }) => onChange({ date: target.value })}
        />
      )}
    </div>
  )
}
