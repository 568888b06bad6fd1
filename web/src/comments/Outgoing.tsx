import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button, Spinner } from '../ui/Button.tsx'
import { LinkedText } from '../ui/LinkedText.tsx'
import { useProblemText } from '../ui/Problem.tsx'
import styles from './Comments.module.css'
import type { Sending } from './sending.ts'
import { texts } from './texts.ts'

export function Outgoing({ sending }: { sending: Sending }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const { body, error, retry, discard, parentId } = sending
  const problem = useProblemText(error)
  return (
    <div className={styles.comment}>
      {viewer && <Avatar user={viewer} size={parentId === null ? 40 : 28} />}
      <div className={styles.lines}>
        <p className={styles.outgoingName}>{viewer?.display_name}</p>
        <p className={styles.outgoingBody}>
          <LinkedText text={body} />
        </p>
        {error ? (
          <div className={styles.outgoingRow} role="alert">
            <span className={styles.problem}>
              {t.notSent} {problem}
            </span>
            <Button size="small" onClick={retry}>
              {t.retry}
            </Button>
            <Button size="small" look="plain" onClick={discard}>
              {t.discard}
            </Button>
          </div>
        ) : (
          <p className={styles.state} role="status">
            <Spinner /> {t.sending}
          </p>
        )}
      </div>
    </div>
  )
}
