import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { DataOf } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { Problem } from '../../ui/Problem.tsx'
import styles from '../console.module.css'
import { MadeKey } from '../keys/MadeKey.tsx'
import { texts as keyTexts } from '../keys/texts.ts'
import { legacyKeysQuery } from '../queries.ts'
import { TableSkeleton } from '../TableSkeleton.tsx'
import { texts as consoleTexts } from '../texts.ts'
import { LegacyKeyTable } from './LegacyKeyTable.tsx'
import { NewLegacyKey } from './NewLegacyKey.tsx'
import { texts } from './texts.ts'

/** Page with the viewer's personal API keys, which belong to no app. */
export function LegacyKeys() {
  const t = useTexts(texts)
  const words = useTexts(keyTexts)
  const { console } = useTexts(consoleTexts)
  const queries = useQueryClient()
  const { data: keys, isPending, error, refetch } = useQuery(legacyKeysQuery)
  const [isCreating, setIsCreating] = useState(false)
  const [made, setMade] = useState<DataOf<'createLegacyKey'>>()
  const show = (answer: DataOf<'createLegacyKey'>) => {
    setMade(answer)
    setIsCreating(false)
    void queries.invalidateQueries({ queryKey: legacyKeysQuery.queryKey })
  }
  const create = (
    <Button look="primary" icon={<Plus aria-hidden="true" />} onClick={() => setIsCreating(true)}>
      {words.newKey}
    </Button>
  )
  const hasKeys = keys !== undefined && keys.length > 0
  return (
    <Page
      title={t.title}
      trail={<Link to="/devconsole">{console}</Link>}
      lead={t.lead}
      actions={(isPending || hasKeys) && !isCreating && create}
    >
      {isCreating && <NewLegacyKey onMade={show} onCancel={() => setIsCreating(false)} />}
      <div className={isCreating ? styles.stack : undefined}>
        {isPending && <TableSkeleton />}
        {error && !keys && <Problem error={error} retry={() => void refetch()} />}
        {keys?.length === 0 && !isCreating && (
          <Empty icon={<KeyRound aria-hidden="true" />} title={t.emptyTitle} action={create}>
            {t.emptyHelp}
          </Empty>
        )}
        {hasKeys && <LegacyKeyTable keys={keys} />}
      </div>
      {hasKeys && <p className={`${styles.hint} ${styles.stack}`}>{t.limits}</p>}
      {made && (
        <MadeKey
          name={made.key.key_name}
          rawKey={made.raw_key}
          mayWrite
          onClose={() => setMade(undefined)}
        />
      )}
    </Page>
  )
}
