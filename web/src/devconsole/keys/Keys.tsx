import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { App, DataOf } from '#sdk'
import styles from '../console.module.css'
import { keysQuery } from '../queries.ts'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Code } from '../../ui/Copy.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { TableSkeleton } from '../../ui/Table.tsx'
import { KeyTable } from './KeyTable.tsx'
import { curlOf, MadeKey } from './MadeKey.tsx'
import { NewKey } from './NewKey.tsx'
import { texts } from './texts.ts'

export function Keys({ app }: { app: App }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { data: keys, isPending, error, refetch } = useQuery(keysQuery(app.id))
  const [isCreating, setIsCreating] = useState(false)
  const [made, setMade] = useState<DataOf<'createKey'>>()
  const show = (answer: DataOf<'createKey'>) => {
    setMade(answer)
    setIsCreating(false)
    void queries.invalidateQueries({ queryKey: keysQuery(app.id).queryKey })
  }
  const create = (
    <Button look="primary" icon={<Plus />} onClick={() => setIsCreating(true)}>
      {t.newKey}
    </Button>
  )
  const hasKeys = keys !== undefined && keys.length > 0
  return (
    <>
      <div className={styles.bar}>
        <div>
          <h2>{t.keys}</h2>
          <p className={styles.muted}>{t.lead}</p>
        </div>
        {/* Shown while the keys load, so that nothing below it shifts. */}
        {(isPending || hasKeys) && !isCreating && create}
      </div>
      {isCreating && <NewKey app={app} onMade={show} onCancel={() => setIsCreating(false)} />}
      <div className={isCreating ? styles.stack : undefined}>
        {isPending && <TableSkeleton />}
        {error && !keys && <Problem error={error} retry={() => void refetch()} />}
        {keys?.length === 0 && !isCreating && (
          <Empty icon={<KeyRound />} title={t.emptyTitle} level={3} action={create}>
            {t.emptyHelp}
          </Empty>
        )}
        {hasKeys && <KeyTable app={app} keys={keys} onMade={show} />}
      </div>
      {hasKeys && !isCreating && (
        <div className={`${styles.stack} ${styles.once}`}>
          <Code label={t.curl} text={curlOf('…', { title: t.sampleTitle, body: t.sampleBody })} />
          <p className={styles.hint}>{t.curlHint}</p>
        </div>
      )}
      {made && (
        <MadeKey
          name={made.key.key_name}
          rawKey={made.raw_key}
          mayWrite={made.key.scopes.includes('contents:write')}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}
