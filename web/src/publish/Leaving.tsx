import { History } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { history } from '../device/history.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm, Dialog } from '../ui/Dialog.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'

type Blocker = Parameters<typeof history.block>[0]
type Move = Parameters<Blocker['blockerFn']>[0]

interface Props {
  isDirty: boolean
  /** True when leaving would lose input. The browser then asks before it closes the page. */
  isLosing: boolean
}

export function Leaving({ isDirty, isLosing }: Props) {
  const t = useTexts(texts)
  const [move, setMove] = useState<Move>()
  const hold = useEffectEvent((asked: Move) => {
    const { action, currentLocation, nextLocation } = asked
    if (!isDirty || currentLocation.pathname === nextLocation.pathname) return false
    // Opens the dialog after the router has reverted the blocked traversal. Otherwise the dialog's history entry would
    // be lost.
    if (isTraversal(action)) addEventListener('popstate', () => setMove(asked), { once: true })
    else setMove(asked)
    return true
  })
  const asksToClose = useEffectEvent(() => isLosing)
  useEffect(
    () =>
      history.block({
        blockerFn: async (asked) => hold(asked),
        enableBeforeUnload: () => asksToClose(),
      }),
    [],
  )
  const stay = () => setMove(undefined)
  return (
    <Dialog
      isOpen={move !== undefined}
      onClose={stay}
      title={t.leaveTitle}
      description={isLosing ? t.leaveHelpLosing : t.leaveHelp}
      actions={
        <>
          <Button look="danger" onClick={() => move && goThrough(move)}>
            {t.leave}
          </Button>
          <Button look="primary" onClick={stay}>
            {t.stay}
          </Button>
        </>
      }
    />
  )
}

function isTraversal(action: Move['action']): boolean {
  return action !== 'PUSH' && action !== 'REPLACE'
}

function goThrough({ action, currentLocation, nextLocation }: Move): void {
  const { href, state } = nextLocation
  const by = state['__TSR_index'] - currentLocation.state['__TSR_index']
  // Only Back can be repeated, because the dialog's history entry has replaced the forward entries.
  if (isTraversal(action) && by < 0) {
    history.go(by - (history.location.state.overlays ?? 0), { ignoreBlocker: true })
  } else history.push(href, {}, { ignoreBlocker: true })
}

interface RestoredProps {
  children: ReactNode
  onDiscard: () => void
  onContinue?: () => void
  /** Opens an empty form and keeps the draft on the server. */
  onPutAside?: (() => void) | undefined
}

export function Restored({ children, onDiscard, onContinue, onPutAside }: RestoredProps) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <div className={styles.restoredNote}>
      <History />
      <p role="status">{children}</p>
      <div className="cluster">
        <Button size="small" onClick={() => setIsAsking(true)}>
          {t.discard}
        </Button>
        {onPutAside && (
          <Button size="small" onClick={onPutAside}>
            {t.another}
          </Button>
        )}
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
