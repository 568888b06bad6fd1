import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { useIsViewerSettled } from '../session/viewer.ts'
import { Button } from '../ui/Button.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { acceptOf } from './content.ts'
import { Dropzone, FileList } from './FileList.tsx'
import { fileTexts } from './fileTexts.ts'
import { Leaving, Restored } from './Leaving.tsx'
import { Categories, NewContent } from './NewContent.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'
import { usePublishing } from './usePublishing.ts'

const route = getRouteApi('/publish')

export function Publish() {
  const t = useTexts(texts)
  const isSettled = useIsViewerSettled()
  const [form, setForm] = useState(0)
  return (
    <div className={styles.stage}>
      <Page title={t.publish} lead={t.publishLead}>
        {isSettled ? (
          <Steps key={form} onAnother={() => setForm(form + 1)} />
        ) : (
          <Loading>
            <Skeleton height="320px" />
          </Loading>
        )}
      </Page>
    </div>
  )
}

/** Form for a new content item. `onAnother` replaces the form with an empty one. */
function Steps({ onAnother }: { onAnother: () => void }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const { as } = route.useSearch()
  const publishing = usePublishing(as === 'article')
  const { type, isRestored, isWritten, isDirty, isHeld, isLosing, newer } = publishing
  const write = () => void navigate({ to: '/publish', search: { as: 'article' } })
  const startOver = () => void navigate({ to: '/publish', search: {}, replace: true })
  const discard = () => {
    if (newer) {
      publishing.close()
      const params = { id: newer.id }
      void navigate({ to: '/publish/$id', params, replace: true, ignoreBlocker: true })
    } else {
      publishing.discard()
      startOver()
    }
  }
  const putAside = () => {
    publishing.close()
    startOver()
    onAnother()
  }
  return (
    <div className={styles.main}>
      <Leaving isDirty={isHeld} isLosing={isLosing} />
      {type ? (
        <>
          {newer ? (
            <Restored onDiscard={discard}>
              {newer.status === 'draft' ? t.changedElsewhere : t.publishedElsewhere}
            </Restored>
          ) : (
            isRestored &&
            isDirty && (
              <Restored
                onDiscard={discard}
                onPutAside={publishing.saveState === 'saved' ? putAside : undefined}
              >
                {t.restored}
              </Restored>
            )
          )}
          <NewContent publishing={publishing} type={type} />
        </>
      ) : (
        <>
          {isWritten && (
            <Restored onDiscard={discard} onContinue={write}>
              {publishing.content.title.trim() ? t.begunTitled(publishing.content.title) : t.begun}
            </Restored>
          )}
          <Start publishing={publishing} onWrite={write} />
        </>
      )}
    </div>
  )
}

/** Returns false on touch devices, which cannot drag files into a page. */
const canDrag = () => !matchMedia('(hover: none)').matches

interface StartProps {
  publishing: ReturnType<typeof usePublishing>
  onWrite: () => void
}

function Start({ publishing, onWrite }: StartProps) {
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
        <Button icon={<PenLine />} onClick={onWrite}>
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
