import { Compass } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'
import { texts } from './texts.ts'

export function NotFound() {
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
    </Page>
  )
}
