import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Dropzone } from './Dropzone.tsx'
import { FileList } from './FileList.tsx'
import { fileTexts } from './fileTexts.ts'
import { acceptOf, type ContentType } from './kinds.ts'
import styles from './Publish.module.css'
import { texts } from './texts.ts'
import type { usePublishing } from './usePublishing.ts'

interface Props {
  publishing: ReturnType<typeof usePublishing>
  type: ContentType
  error: string | undefined
}

/** Field for the files of new content. The files determine its type. */
export function Files({ publishing, type, error }: Props) {
  const t = useTexts(texts)
  const words = useTexts(fileTexts)
  const navigate = useNavigate()
  const { uploads, misfits, isWriting } = publishing
  const isMixed = type === 'article' && !isWriting
  return (
    <Panel
      title={t.files[type]}
      beside={
        isWriting && (
          <Button
            size="small"
            look="plain"
            onClick={() => void navigate({ to: '/publish', search: {} })}
          >
            {t.onlyFiles}
          </Button>
        )
      }
    >
      {isMixed && <p className={styles.note}>{t.mixed}</p>}
      <FileList uploads={uploads} misfits={misfits} />
      <Dropzone
        isSmall
        accept={acceptOf(type === 'game' ? ['picture', 'bundle'] : ['picture', 'video', 'sound'])}
        label={words.addMore}
        hint={t.filesHint[type]}
        onFiles={publishing.addFiles}
      />
      {error && (
        <p className={styles.bad} role="alert">
          {error}
        </p>
      )}
    </Panel>
  )
}
