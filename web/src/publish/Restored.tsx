import { History } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import styles from './Restored.module.css'
import { texts } from './texts.ts'

interface Props {
  /** Text about the restored draft. */
  children: ReactNode
  onDiscard: () => void
  onContinue?: () => void
}

/** Notice that a draft from this device was restored, with a button that discards it. */
export function Restored({ children, onDiscard, onContinue }: Props) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <div className={styles.note}>
      <History aria-hidden="true" />
      <p role="status">{children}</p>
      <div className={styles.actions}>
        <Button size="small" onClick={() => setIsAsking(true)}>
          {t.discard}
        </Button>
        {onContinue && (
          <Button size="small" look="primary" onClick={onContinue}>
            {t.continue}
          </Button>
        )}
      </div>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t.discardTitle}
        description={t.discardHelp}
        act={t.discard}
        isDangerous
        isBusy={false}
        error={null}
        onConfirm={() => {
          setIsAsking(false)
          onDiscard()
        }}
      />
    </div>
  )
}
