import { ImageUp, Trash2, X } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import type { Account } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Progress } from '../ui/Progress.tsx'
import styles from './Account.module.css'
import { texts } from './texts.ts'
import { usePicture } from './usePicture.ts'
import { useUpdate } from './useUpdate.ts'

const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

/** Shows the avatar. A chosen file is uploaded and set immediately. */
export function Picture({ account }: { account: Account }) {
  const t = useTexts(texts)
  const picture = usePicture()
  const removal = useUpdate(t.pictureRemoved)
  const error = picture.error ?? removal.error
  const send = (file: File) => {
    removal.reset()
    picture.send(file)
  }
  const remove = () => {
    picture.forget()
    removal.mutate({ avatar_upload_id: null })
  }
  return (
    <section className={styles.picture} aria-label={t.picture}>
      <span className={styles.shown}>
        {picture.preview ? (
          <img className={styles.preview} src={picture.preview} alt="" />
        ) : (
          <Avatar person={account} size={96} />
        )}
      </span>
      <div className={styles.pictureSide}>
        <h3>{t.picture}</h3>
        {picture.isSending ? (
          <Sending share={picture.share} onStop={picture.stop} />
        ) : (
          <div className={styles.actions}>
            <Chooser hasPicture={account.avatar_url !== null} onChoose={send} />
            {account.avatar_url && (
              <Button
                look="plain"
                icon={<Trash2 aria-hidden="true" />}
                busy={removal.isPending}
                onClick={remove}
              >
                {t.removePicture}
              </Button>
            )}
          </div>
        )}
        <p className={styles.note}>{t.pictureHelp}</p>
        {picture.isRefused && (
          <p className={styles.wrong} role="alert">
            {t.notPicture}
          </p>
        )}
        {error && <Problem error={error} />}
      </div>
    </section>
  )
}

function Chooser({
  hasPicture,
  onChoose,
}: {
  hasPicture: boolean
  onChoose: (file: File) => void
}) {
  const t = useTexts(texts)
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Otherwise choosing the same file again would fire no change event.
    target.value = ''
    if (file) onChoose(file)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        hidden
        aria-label={t.choosePicture}
        onChange={choose}
      />
      <Button icon={<ImageUp aria-hidden="true" />} onClick={() => input.current?.click()}>
        {hasPicture ? t.changePicture : t.choosePicture}
      </Button>
    </>
  )
}

function Sending({ share, onStop }: { share: number; onStop: () => void }) {
  const t = useTexts(texts)
  const formats = useFormats()
  return (
    <div className={styles.sending}>
      <Progress share={share} label={t.uploading} />
      <span className={styles.note}>{formats.percent(share)}</span>
      <Button size="small" icon={<X aria-hidden="true" />} onClick={onStop}>
        {t.stop}
      </Button>
    </div>
  )
}
