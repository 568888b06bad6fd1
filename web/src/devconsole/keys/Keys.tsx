import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { App, DataOf } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { Code } from '../../ui/Panel.tsx'
import styles from '../console.module.css'
import { Bar, Listing } from '../Listing.tsx'
import { keysQuery } from '../queries.ts'
import { KeyTable } from './KeyTable.tsx'
import { curlOf, MadeKey } from './MadeKey.tsx'
import { NewKey } from './NewKey.tsx'
import { texts } from './texts.ts'

export function Keys({ app }: { app: App }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [made, setMade] = useState<DataOf<'createKey'>>()
  const show = (answer: DataOf<'createKey'>) => {
    setMade(answer)
    void queries.invalidateQueries({ queryKey: keysQuery(app.id).queryKey })
  }
  return (
    <>
      <Listing
        query={useQuery(keysQuery(app.id))}
        create={t.newKey}
        empty={{ icon: <KeyRound />, title: t.emptyTitle, level: 3, children: t.emptyHelp }}
        form={(close) => (
          <NewKey
            app={app}
            onMade={(answer) => {
              show(answer)
              close()
            }}
            onCancel={close}
          />
        )}
        frame={(button, list) => (
          <>
            <Bar title={t.keys} lead={t.lead}>
              {button}
            </Bar>
            {list}
          </>
        )}
        below={
          <div className={`${styles.stack} ${styles.once}`}>
            <Code label={t.curl} text={curlOf('…', { title: t.sampleTitle, body: t.sampleBody })} />
            <p className="fine">{t.curlHint}</p>
          </div>
        }
      >
        {(keys) => <KeyTable app={app} keys={keys} onMade={show} />}
      </Listing>
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
