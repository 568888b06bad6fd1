import { Tabs } from '@base-ui/react/tabs'
import { useTexts } from '../../language/texts.ts'
import choices from '../../ui/Choices.module.css'
import { Code } from '../../ui/Code.tsx'
import styles from '../console.module.css'
import { snippetsFor } from './snippets.ts'
import { texts } from './texts.ts'
import own from './webhooks.module.css'

/** Code samples that verify a webhook's requests. */
export function Snippets({ endpoint_url }: { endpoint_url: string }) {
  const t = useTexts(texts)
  const snippets = snippetsFor(endpoint_url)
  return (
    <section className={own.snippets}>
      <div className={styles.panelHead}>
        <h2>{t.verify}</h2>
        <p className={styles.hint}>{t.verifyHint}</p>
      </div>
      <Tabs.Root defaultValue="typescript" className={own.snippets}>
        <Tabs.List className={choices.choices} aria-label={t.languages}>
          {snippets.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ id, label, text }) => (
          <Tabs.Panel key={id} value={id} className={styles.once}>
            <Code label={label} text={text} />
            {id === 'curl' && <p className={styles.hint}>{t.tries}</p>}
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </section>
  )
}
