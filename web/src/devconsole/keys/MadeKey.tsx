import { useTexts } from '../../language/texts.ts'
import { Code } from '../../ui/Code.tsx'
import styles from '../console.module.css'
import { Once } from '../Once.tsx'
import { curlOf } from './curl.ts'
import { texts } from './texts.ts'

interface Props {
  name: string
  /** The key. Null when the server replays an earlier response, which omits secrets. */
  rawKey: string | null
  /** True when the key's scopes allow it to publish content. */
  mayWrite: boolean
  onClose: () => void
}

/** Dialog that shows a new key once. */
export function MadeKey({ name, rawKey, mayWrite, onClose }: Props) {
  const t = useTexts(texts)
  const sample = { title: t.sampleTitle, body: t.sampleBody }
  return (
    <Once
      title={t.made}
      secrets={[{ label: `${t.rawKey} · ${name}`, value: rawKey }]}
      onClose={onClose}
    >
      {mayWrite && rawKey ? (
        <Code label={t.curl} text={curlOf(rawKey, sample)} />
      ) : (
        <p className={styles.hint}>{t.noWrite}</p>
      )}
    </Once>
  )
}
