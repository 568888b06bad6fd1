import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Account, isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { useSite } from '../session/site.ts'
import { viewerQuery } from '../session/viewer.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import styles from './Join.module.css'
import { texts } from './texts.ts'

/** Notice on every page while the viewer cannot write because the email address is unconfirmed. */
export function UnverifiedNote({ viewer }: { viewer: Account }) {
  const t = useTexts(texts)
  const { mutate, isPending } = useResend()
  if (useSite()?.email_verification !== 'required') return null
  return (
    <div className={styles.unverified} role="status">
      <p>{t.unverified(viewer.pending_email ?? viewer.email)}</p>
      <Button size="small" busy={isPending} onClick={() => mutate()}>
        {t.resend}
      </Button>
    </div>
  )
}

/** Returns a mutation that sends the verification mail again, and shows a notice about the result. */
export function useResend() {
  const t = useTexts(texts)
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => plaza.me.sendVerification(),
    onSuccess: () => toast(t.resent),
    onError: (error) => {
      if (isPlazaError(error, 'EMAIL_ALREADY_VERIFIED')) {
        void queries.invalidateQueries({ queryKey: viewerQuery.queryKey })
        return
      }
      toast(isPlazaError(error) ? error.message : t.notResent, { isBad: true })
    },
  })
}
