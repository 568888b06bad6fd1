import { PenLine } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Categories } from './CategoryField.tsx'
import { Dropzone } from './Dropzone.tsx'
import { FileList } from './FileList.tsx'
import { fileTexts } from './fileTexts.ts'
import { acceptOf } from './kinds.ts'
import { Leaving } from './Leaving.tsx'
import { NewWork } from './NewWork.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'
import { usePublishing } from './usePublishing.ts'

/** Makes a work: first its files or that it is to be written, then all about it. */
export function Publish() {
  const t = useTexts(texts)
  const publishing = usePublishing()
  return (
    <div className={styles.stage}>
      <Page title={t.publish} lead={t.publishLead}>
        <Leaving isDirty={publishing.isDirty && !publishing.save.isSuccess} />
        {publishing.type ? (
          <NewWork publishing={publishing} type={publishing.type} />
        ) : (
          <Start publishing={publishing} />
        )}
      </Page>
    </div>
  )
}

/** Phones and tablets have nothing that could be dragged into a page. */
const canDrag = () => !matchMedia('(hover: none)').matches

function Start({ publishing }: { publishing: ReturnType<typeof usePublishing> }) {
  const t = useTexts(texts)
  const words = useTexts(fileTexts)
  return (
    <div className={styles.main}>
      <FileList uploads={publishing.uploads} />
      <Dropzone
        accept={acceptOf()}
        label={words.choose}
        hint={
          <>
            <strong>{canDrag() ? words.dropTitle : words.chooseTitle}</strong>
            <span>{words.dropHint}</span>
          </>
        }
        onFiles={publishing.addFiles}
      />
      <div className={styles.or}>
        <span>{t.orWrite}</span>
        <Button icon={<PenLine aria-hidden="true" />} onClick={() => publishing.setIsWriting(true)}>
          {t.write}
        </Button>
      </div>
      <section className={styles.fields} aria-labelledby="places">
        <h2 id="places">{t.places}</h2>
        <Categories />
      </section>
    </div>
  )
}
