import { useTexts } from '../language/texts.ts'
import { asMember } from '../session/asking.ts'
import { useDraft } from '../session/drafts.ts'
import { useIsSignedIn, useViewer } from '../session/viewer.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Composer } from './Composer.tsx'
import { useSend } from './sending.ts'
import { texts } from './texts.ts'
import styles from './WriteBox.module.css'

/** Text box for a new comment. For signed-out visitors, a prompt to sign in. */
export function WriteBox({ contentId }: { contentId: string }) {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  const viewer = useViewer()
  const send = useSend(contentId)
  const [text, change] = useDraft(`comment.${contentId}`)
  if (!isSignedIn) {
    return (
      <div className={styles.asking}>
        <p>{t.signInHelp}</p>
        <Button size="small" onClick={() => asMember(() => {})}>
          {t.signIn}
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.write}>
      {viewer ? <Avatar person={viewer} size={40} /> : <Skeleton round width={40} height={40} />}
      <Composer
        label={t.write}
        placeholder={t.writeHere}
        send={t.send}
        text={text}
        onText={change}
        onSend={(body) => {
          send(null, body)
          return true
        }}
      />
    </div>
  )
}
