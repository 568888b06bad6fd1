import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { DataOf, LegacyKey } from '#sdk'
import { defineTexts, useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { IconButton } from '../ui/Button.tsx'
import { Form } from '../ui/Form.tsx'
import { Menu } from '../ui/Dialog.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Table } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './console.module.css'
import { Listing } from './consoleParts.tsx'
import { RevokeKey } from './Keys.tsx'
import { MadeKey, NameField } from './NewKey.tsx'
import { legacyKeysQuery } from './queries.ts'
import { keyTexts, texts as consoleTexts } from './texts.ts'

export function LegacyKeys() {
  const t = useTexts(texts)
  const words = useTexts(keyTexts)
  const { console } = useTexts(consoleTexts)
  const queries = useQueryClient()
  const [made, setMade] = useState<DataOf<'createLegacyKey'>>()
  return (
    <>
      <Listing
        query={useQuery(legacyKeysQuery)}
        create={words.newKey}
        empty={{ icon: <KeyRound />, title: t.emptyTitle, children: t.emptyHelp }}
        form={(close) => (
          <NewLegacyKey
            onMade={(answer) => {
              setMade(answer)
              close()
              void queries.invalidateQueries({ queryKey: legacyKeysQuery.queryKey })
            }}
            onCancel={close}
          />
        )}
        frame={(button, list) => (
          <Page
            title={t.title}
            trail={<Link to="/devconsole">{console}</Link>}
            lead={t.lead}
            actions={button}
          >
            {list}
          </Page>
        )}
        below={<p className={`fine ${styles.stack}`}>{t.limits}</p>}
      >
        {(keys) => <LegacyKeyTable keys={keys} />}
      </Listing>
      {made && (
        <MadeKey
          name={made.key.key_name}
          rawKey={made.raw_key}
          mayWrite
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}

function LegacyKeyTable({ keys }: { keys: readonly LegacyKey[] }) {
  const t = useTexts(texts)
  const words = useTexts(keyTexts)
  const [asked, setAsked] = useState<LegacyKey>()
  return (
    <>
      <Table
        label={t.title}
        heads={[words.name, words.key, words.lastUsed, t.created]}
        actions={words.rowActions}
      >
        {keys.map((key) => (
          <Row key={key.id} target={key} onRevoke={() => setAsked(key)} />
        ))}
      </Table>
      {asked && (
        <RevokeKey
          name={asked.key_name}
          revoke={() => plaza.legacyKeys.revoke(asked.id)}
          queryKey={legacyKeysQuery.queryKey}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

function Row({ target: key, onRevoke }: { target: LegacyKey; onRevoke: () => void }) {
  const words = useTexts(keyTexts)
  const { key_name, key_prefix, last_four, last_used_at, created_at } = key
  return (
    <tr>
      <td className={styles.name}>{key_name}</td>
      <td className={styles.nowrap}>
        <code>
          {key_prefix}…{last_four}
        </code>
      </td>
      <td className={styles.nowrap}>{last_used_at ? <Time time={last_used_at} /> : words.never}</td>
      <td className={styles.nowrap}>
        <Time time={created_at} />
      </td>
      <td className={styles.end}>
        <Menu
          trigger={<IconButton icon={<Ellipsis />} label={words.actions(key_name)} />}
          groups={[[{ label: words.revoke, onClick: onRevoke, isDangerous: true }]]}
        />
      </td>
    </tr>
  )
}

interface Props {
  onMade: (made: DataOf<'createLegacyKey'>) => void
  onCancel: () => void
}

function NewLegacyKey({ onMade, onCancel }: Props) {
  const t = useTexts(keyTexts)
  const [key_name, setName] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => plaza.legacyKeys.create({ key_name }),
    onSuccess: onMade,
  })
  return (
    <Panel title={t.newKey}>
      <Form
        error={error}
        fields={['key_name']}
        submit={t.createKey}
        isBusy={isPending}
        onSubmit={() => mutate()}
        onCancel={onCancel}
        takesFocus
        className={styles.form}
      >
        <NameField name={key_name} onChange={setName} error={error} />
      </Form>
    </Panel>
  )
}

const texts = defineTexts({
  title: ['개인 키', 'Personal keys'],
  lead: [
    '앱을 만들지 않고도 파일과 작품을 내 이름으로 올릴 수 있어요.',
    'Upload files and publish works as yourself without creating an app.',
  ],
  limits: [
    '개인 키에는 권한 설정과 만료가 없어요. 더 이상 쓰지 않는 키는 폐기해 주세요.',
    'Personal keys have no scopes and never expire. Revoke keys you no longer use.',
  ],
  emptyTitle: ['아직 개인 키가 없어요', 'No personal keys yet'],
  emptyHelp: [
    '혼자 쓰는 작은 프로그램이라면 이것으로 충분해요. 이 키로 올린 작품은 바로 공개돼요.',
    'Enough for a small program of your own. Works it publishes are public immediately.',
  ],
  created: ['생성일', 'Created'],
})
