import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { LegacyKey } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from '../console.module.css'
import { RevokeKey } from '../keys/RevokeKey.tsx'
import { texts as keyTexts } from '../keys/texts.ts'
import { legacyKeysQuery } from '../queries.ts'
import { texts } from './texts.ts'

export function LegacyKeyTable({ keys }: { keys: readonly LegacyKey[] }) {
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
      <td className={styles.nowrap}>{last_used_at ? <Time at={last_used_at} /> : words.never}</td>
      <td className={styles.nowrap}>
        <Time at={created_at} />
      </td>
      <td className={styles.end}>
        <Menu
          trigger={
            <IconButton icon={<Ellipsis aria-hidden="true" />} label={words.actions(key_name)} />
          }
          groups={[[{ label: words.revoke, onClick: onRevoke, isDangerous: true }]]}
        />
      </td>
    </tr>
  )
}
