import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { Code, Panel } from '../ui/Panel.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './admin.module.css'
import { auditQuery } from './queries.ts'
import { texts } from './texts.ts'

/**
 * Button that creates a link with which a user resets the password. On sites that send no mail, users cannot request
 * such a link themselves.
 */
export function ResetLink({ id }: { id: string }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const queries = useQueryClient()
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => plaza.users.createResetLink(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: auditQuery(id).queryKey }),
  })
  return (
    <Panel title={t.password}>
      <p className={styles.muted}>{t.passwordHelp}</p>
      {error && <Problem error={error} />}
      <div role="status">
        {data?.url && (
          <>
            <Code text={data.url} label={t.resetLink} />
            <p className={styles.muted}>{t.resetLinkUntil(formats.dateTime(data.expires_at))}</p>
          </>
        )}
      </div>
      <div className={styles.buttons}>
        <Button busy={isPending} onClick={() => mutate()}>
          {t.createResetLink}
        </Button>
      </div>
    </Panel>
  )
}
