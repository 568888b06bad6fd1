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
  /** Upload queue of the chosen thumbnail. It has at most one file. */
  uploads: Uploads
  /** For existing content: its thumbnail, and whether saving restores the generated one. */
  current?: { url: string | null; isTakenBack: boolean; takeBack: (yes: boolean) => void }
  error?: string | undefined
}

/** Field for the thumbnail, which the server generates or the author uploads. */
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
