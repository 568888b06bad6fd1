import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Dropzone } from './Dropzone.tsx'
import { FileList } from './FileList.tsx'
import { acceptOf } from './kinds.ts'
import styles from './Publish.module.css'
import { texts } from './texts.ts'
import type { Uploads } from './useUploads.ts'

const PICTURES = ['picture'] as const

interface Props {
  /** The picture that is chosen, if one is. */
  uploads: Uploads
  /** Of a work that is there: the picture shown now, and whether the choice is to be taken back. */
  current?: { url: string | null; isTakenBack: boolean; takeBack: (yes: boolean) => void }
  error?: string | undefined
}

/** The picture of the work in lists: one made of the work itself, or an own one. */
export function ThumbnailField({ uploads, current, error }: Props) {
  const t = useTexts(texts)
  const choose = (files: File[]) => {
    uploads.queue.clear()
    uploads.queue.add(files, PICTURES)
    current?.takeBack(false)
  }
  return (
    <div className={styles.fields}>
      {current?.url && !current.isTakenBack && uploads.entries.length === 0 && (
        <div className={styles.current}>
          <img src={current.url} alt={t.thumbnailNow} />
          <Button size="small" onClick={() => current.takeBack(true)}>
            {t.automatic}
          </Button>
        </div>
      )}
      {current?.isTakenBack && (
        <p className={styles.note} role="status">
          {t.automaticOnSave}{' '}
          <Button size="small" look="plain" onClick={() => current.takeBack(false)}>
            {t.undo}
          </Button>
        </p>
      )}
      <FileList uploads={uploads} />
      <Dropzone
        isSmall
        multiple={false}
        accept={acceptOf(PICTURES)}
        label={t.chooseThumbnail}
        hint={current ? t.thumbnailHintLater : t.thumbnailHint}
        onFiles={choose}
      />
      {error && (
        <p className={styles.bad} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
