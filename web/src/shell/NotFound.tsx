import { Compass } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'
import { texts } from './texts.ts'

export function NotFound() {
  const t = useTexts(texts)
  return (
    <Page title={t.notFound} hidesTitle width="reading">
      <Empty
        icon={<Compass aria-hidden="true" />}
        title={t.notFound}
        action={
          <LinkButton look="primary" to="/">
            {t.goHome}
          </LinkButton>
        }
      >
        {t.notFoundHelp}
      </Empty>
    </Page>
  )
}
