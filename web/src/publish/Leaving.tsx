import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { texts } from './texts.ts'

/** Asks before a page is left with something that is not saved; the browser itself asks before it closes. */
export function Leaving({ isDirty }: { isDirty: boolean }) {
  const t = useTexts(texts)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  const stay = () => blocker.reset?.()
  return (
    <Dialog
      isOpen={blocker.status === 'blocked'}
      onClose={stay}
      title={t.leaveTitle}
      description={t.leaveHelp}
      actions={
        <>
          <Button look="danger" onClick={() => blocker.proceed?.()}>
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
