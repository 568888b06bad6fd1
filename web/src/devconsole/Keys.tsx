import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey, App, DataOf } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Badge } from '../ui/Badge.tsx'
import { IconButton } from '../ui/Button.tsx'
import { ConfirmRequest, Menu } from '../ui/Dialog.tsx'
import { Options, Select } from '../ui/Field.tsx'
import { Code } from '../ui/Panel.tsx'
import { Table } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
import styles from './console.module.css'
import { Bar, Listing, ScopeList } from './consoleParts.tsx'
import { curlOf, MadeKey, NewKey } from './NewKey.tsx'
import { keysQuery } from './queries.ts'
import { hasEnded, stateOf } from './rules.ts'
import { keyTexts } from './texts.ts'

export function Keys({ app }: { app: App }) {
  const t = useTexts(keyTexts)
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

const TONES = { active: 'good', soon: 'warn', expired: 'plain', revoked: 'plain' } as const

interface Props {
  app: App
  keys: readonly ApiKey[]
  onMade: (made: DataOf<'rotateKey'>) => void
}

function KeyTable({ app, keys, onMade }: Props) {
  const t = useTexts(keyTexts)
  const [asked, setAsked] = useState<{ act: 'rotate' | 'revoke'; key: ApiKey }>()
  const close = () => setAsked(undefined)
  return (
    <>
      <Table
        label={t.keys}
        heads={[t.name, t.state, t.environment, t.key, t.scopes, t.lastUsed, t.expires]}
        actions={t.rowActions}
      >
        {keys.map((key) => (
          <Row key={key.id} target={key} app={app} onAsk={(act) => setAsked({ act, key })} />
        ))}
      </Table>
      {asked?.act === 'rotate' && <RotateKey target={asked.key} onMade={onMade} onClose={close} />}
      {asked?.act === 'revoke' && (
        <RevokeKey
          name={asked.key.key_name}
          revoke={() => plaza.keys.revoke(asked.key.id)}
          queryKey={keysQuery(app.id).queryKey}
          onClose={close}
        />
      )}
    </>
  )
}

interface RowProps {
  target: ApiKey
  app: App
  onAsk: (act: 'rotate' | 'revoke') => void
}

function Row({ target: key, app, onAsk }: RowProps) {
  const t = useTexts(keyTexts)
  const formats = useFormats()
  const state = stateOf(key)
  const { key_name, environment, key_prefix, last_four, scopes, last_used_at, expires_at } = key
  return (
    <tr className={hasEnded(state) ? styles.muted : undefined}>
      <td className={styles.name}>{key_name}</td>
      <td>
        <Badge tone={TONES[state]}>{t.states[state]}</Badge>
      </td>
      <td className={styles.nowrap}>
        {t.environments[environment as keyof typeof t.environments] ?? environment}
      </td>
      <td className={styles.nowrap}>
        <code>
          {key_prefix}…{last_four}
        </code>
      </td>
      <td>
        <ScopeList scopes={scopes} within={app.scopes} lostLabel={t.lostScope} />
      </td>
      <td className={styles.nowrap}>{last_used_at ? <Time time={last_used_at} /> : t.never}</td>
      <td className={styles.nowrap}>
        {expires_at ? (
          <time dateTime={expires_at} title={formats.dateTime(expires_at)}>
            {state === 'soon' ? formats.ago(expires_at) : formats.date(expires_at)}
          </time>
        ) : (
          t.noEnd
        )}
      </td>
      <td className={styles.end}>
        {!hasEnded(state) && (
          <Menu
            trigger={<IconButton icon={<Ellipsis />} label={t.actions(key_name)} />}
            groups={[
              [{ label: t.rotate, onClick: () => onAsk('rotate') }],
              [{ label: t.revoke, onClick: () => onAsk('revoke'), isDangerous: true }],
            ]}
          />
        )}
      </td>
    </tr>
  )
}

const OVERLAP_SECONDS = { now: 0, hour: 3600, day: 86_400 }
type Overlap = keyof typeof OVERLAP_SECONDS

interface RotateKeyProps {
  target: ApiKey
  onMade: (made: DataOf<'rotateKey'>) => void
  onClose: () => void
}

function RotateKey({ target: key, onMade, onClose }: RotateKeyProps) {
  const t = useTexts(keyTexts)
  const [overlap, setOverlap] = useState<Overlap>('day')
  return (
    <ConfirmRequest
      isOpen
      onClose={onClose}
      title={t.rotateAsk(key.key_name)}
      description={t.rotateHelp}
      act={t.rotate}
      request={() => plaza.keys.rotate(key.id, { overlap_seconds: OVERLAP_SECONDS[overlap] })}
      onDone={onMade}
    >
      <Select
        label={t.overlap}
        hint={t.overlapHint}
        value={overlap}
        onChange={({ target }) => setOverlap(target.value as Overlap)}
      >
        <Options entries={Object.entries(t.overlaps)} />
      </Select>
    </ConfirmRequest>
  )
}

interface RevokeKeyProps {
  name: string
  revoke: () => Promise<unknown>
  /** Key of the query whose list contains the API key. */
  queryKey: QueryKey
  onClose: () => void
}

export function RevokeKey({ name, revoke, queryKey, onClose }: RevokeKeyProps) {
  const t = useTexts(keyTexts)
  const queries = useQueryClient()
  return (
    <ConfirmRequest
      isOpen
      onClose={onClose}
      title={t.revokeAsk(name)}
      description={t.revokeHelp}
      act={t.revoke}
      isDangerous
      request={revoke}
      onDone={() => {
        void queries.invalidateQueries({ queryKey })
        toast(t.revoked)
      }}
    />
  )
}
