import { Link } from '@tanstack/react-router'
import type { Decision } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Time } from '../ui/Time.tsx'
import { canUndo, useUndo } from './acts.ts'
import { deskTexts } from './deskTexts.ts'
import styles from './Moderation.module.css'
import { texts, wordOf } from './texts.ts'

export function DecisionLines({ decisions }: { decisions: readonly Decision[] }) {
  const t = useTexts(deskTexts)
  return (
    <ul className="box" aria-label={t.decisions}>
      {decisions.map((decision) => (
        <li key={decision.id} className={styles.line}>
          <DecisionLine decision={decision} />
        </li>
      ))}
    </ul>
  )
}

export function DecisionLine({ decision }: { decision: Decision }) {
  const t = useTexts(deskTexts)
  const words = useTexts(texts)
  const formats = useFormats()
  const viewer = useViewer()
  const { mutate: undo, isPending } = useUndo()
  const { action, subject, subject_user, reason, rule, rating, since, status } = decision
  const { affected_count, decided_by, undone_by, created_at } = decision
  return (
    <>
      <span className={styles.facts}>
        <strong>
          {wordOf(words.actions, action)} · {wordOf(words.kinds, subject.kind)}
        </strong>
        {subject_user && (
          <Link to="/creators/$handle" params={{ handle: subject_user.handle }}>
            @{subject_user.handle}
          </Link>
        )}
        {rating && <Badge>{wordOf(words.ratings, rating)}</Badge>}
        {since && <Badge>{words.sinceTime(formats.dateTime(since))}</Badge>}
        {action === 'sweep' && <Badge>{t.count(affected_count)}</Badge>}
        {status !== 'in_effect' && <Badge tone="warn">{wordOf(words.statuses, status)}</Badge>}
      </span>
      {canUndo(decision, viewer?.role === 'admin') && (
        <Button size="small" busy={isPending} onClick={() => undo([decision])}>
          {t.undo}
        </Button>
      )}
      <p className={styles.text}>{reason}</p>
      <p className="fine">
        {rule && `${t.ruleNamed(rule.text)} · `}
        {t.by(decided_by?.display_name ?? t.operator)} · <Time time={created_at} />
        {undone_by && ` · ${t.undoneBy(undone_by.display_name)}`}
      </p>
    </>
  )
}
