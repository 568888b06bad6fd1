import { type KeyboardEvent, useState } from 'react'
import type { Case } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { useSite } from '../session/site.ts'
import { Confirm } from '../ui/Dialog.tsx'
import { Options, Select, TextArea } from '../ui/Field.tsx'
import { type Action, filesOf, useDecide } from './cases.ts'
import { deskTexts } from './deskTexts.ts'
import { type ReportReason, texts } from './texts.ts'

interface Props {
  action: Action
  cases: readonly Case[]
  onClose: () => void
  onDone: () => void
}

const HOUR_MS = 3_600_000
const HOURS = [1, 24, 168, 720, 0] as const
type Hours = (typeof HOURS)[number]

/**
 * Returns the ISO 8601 time `hours` ago, or the start of 1970 for zero. A sweep hides everything that the user has
 * created since that time.
 */
function sinceOf(hours: Hours): string {
  return new Date(hours === 0 ? 0 : Date.now() - hours * HOUR_MS).toISOString()
}

/** Returns the most frequent reason in the reports of the cases, or `other` if there are no reports. */
function mainReason(cases: readonly Case[]): ReportReason {
  const counts = new Map<string, number>()
  for (const { reasons } of cases)
    for (const [reason, count] of Object.entries(reasons))
      counts.set(reason, (counts.get(reason) ?? 0) + Number(count))
  const [first] = [...counts].sort(([, left], [, right]) => right - left)
  return (first?.[0] ?? 'other') as ReportReason
}

export function DecideDialog({ action, cases, onClose, onDone }: Props) {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const site = useSite()
  const { mutate, isPending, error } = useDecide(onDone)
  const [canned, setCanned] = useState<string>(() => mainReason(cases))
  const [reason, setReason] = useState(() =>
    action === 'none' ? t.fine : words.reasons[mainReason(cases)],
  )
  const [rating, setRating] = useState<'teen' | 'adult'>('adult')
  const files = action === 'block_file' ? cases.flatMap(filesOf) : []
  const [file, setFile] = useState(files[0]?.hash)
  const [hours, setHours] = useState<Hours>(24)
  const rules = site?.rules ?? []
  const choose = (key: string) => {
    setCanned(key)
    setReason(rules.find(({ id }) => id === key)?.text ?? words.reasons[key as ReportReason])
  }
  const confirm = () =>
    mutate({
      cases,
      verdict: {
        action,
        reason: reason.trim(),
        ...(rules.some(({ id }) => id === canned) && { rule_id: canned }),
        ...(action === 'rate' && { rating }),
        ...(file && { file }),
        ...(action === 'sweep' && { since: sinceOf(hours) }),
      },
    })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.asks[action]}
      description={
        cases.length > 1 ? `${t.helps[action]} ${t.many(cases.length)}` : t.helps[action]
      }
      act={t.acts[action]}
      isDangerous={action !== 'none'}
      missing={reason.trim() === '' && t.reasonMissing}
      isBusy={isPending}
      error={error}
      onConfirm={confirm}
    >
      {action === 'rate' && (
        <Select
          label={words.rating}
          value={rating}
          onChange={({ target }) => setRating(target.value as 'teen' | 'adult')}
        >
          <option value="adult">{words.ratings.adult}</option>
          <option value="teen">{words.ratings.teen}</option>
        </Select>
      )}
      {files.length > 1 && (
        <Select label={t.file} value={file} onChange={({ target }) => setFile(target.value)}>
          <Options entries={files.map(({ hash }, index) => [hash, t.fileNumber(index + 1)])} />
        </Select>
      )}
      {action === 'sweep' && (
        <Select
          label={t.since}
          value={hours}
          onChange={({ target }) => setHours(Number(target.value) as Hours)}
        >
          <Options entries={HOURS.map((option) => [option, t.hours[option]])} />
        </Select>
      )}
      {action !== 'none' && (
        <Select label={t.canned} value={canned} onChange={({ target }) => choose(target.value)}>
          <Options entries={rules.map(({ id, text }) => [id, text])} />
          <Options entries={Object.entries(words.reasons)} />
        </Select>
      )}
      <TextArea
        label={words.reason}
        hint={t.enter}
        value={reason}
        rows={2}
        maxLength={1000}
        required
        onChange={({ target }) => setReason(target.value)}
        onKeyDown={submitOnEnter}
      />
    </Confirm>
  )
}

function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
