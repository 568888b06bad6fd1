import type { DataOf } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { Code } from '../../ui/Code.tsx'
import styles from '../console.module.css'
import { Once } from '../Once.tsx'
import { curlOf } from './curl.ts'
import { texts } from './texts.ts'

interface Props {
  made: DataOf<'createKey'>
  onClose: () => void
}

/** A key that has just been made, the only time that it is seen whole. */
export function MadeKey({ made: { key, raw_key }, onClose }: Props) {
  const t = useTexts(texts)
  const mayWrite = key.scopes.includes('contents:write')
  const sample = { title: t.sampleTitle, body: t.sampleBody }
  return (
    <Once
      title={t.made}
      secrets={[{ label: `${t.rawKey} · ${key.key_name}`, value: raw_key }]}
      onClose={onClose}
    >
      {mayWrite && raw_key ? (
        <Code label={t.curl} text={curlOf(raw_key, sample)} />
      ) : (
        <p className={styles.hint}>{t.noWrite}</p>
      )}
    </Once>
  )
}
