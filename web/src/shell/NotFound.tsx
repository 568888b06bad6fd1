import { Compass } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'
import { RequestId } from '../ui/Problem.tsx'
import styles from './Shell.module.css'
import { texts } from './texts.ts'

/** 404 page. `error` is the API's response, if there was one. */
export function NotFound({ error }: { error?: unknown }) {
  const t = useTexts(texts)
  return (
    <Page title={t.notFound} hasOwnHeading width="reading">
      <Empty
        icon={<Compass aria-hidden="true" />}
        title={t.notFound}
        level={1}
        action={t.goHome}
        link={{ to: '/' }}
      >
        {t.notFoundHelp}
      </Empty>
      <div className={styles.id}>
        <RequestId error={error} />
      </div>
    </Page>
  )
}
