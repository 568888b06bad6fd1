import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type DataOf, PlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Panel } from '../ui/Panel.tsx'
import { AdminForm, useAct } from './acting.tsx'
import styles from './admin.module.css'
import { fromLocal, type Local, LocalField, toLocal } from './fields.tsx'
import { texts } from './siteTexts.ts'

interface Rule {
  /** Undefined for a new rule. */
  id: string | undefined
  key: string
  text: Local
}

const RULES_MAX = 30

/** Editor of the site's rules. Edited rules keep their ids, because reports and decisions refer to them. */
export function RulesPanel({ site }: { site: DataOf<'getSiteSettings'> }) {
  const t = useTexts(texts)
  const [draft, setDraft] = useState<Rule[]>()
  const rules = draft ?? site.rules.map(({ id, text }) => ({ id, key: id, text: toLocal(text) }))
  const { mutate, isPending, error } = useAct(
    () =>
      plaza.site.updateRules({
        revision: site.revision,
        rules: rules.map(({ id, text }) => ({ ...(id && { id }), text: fromLocal(text) })),
      }),
    t.rulesSaved,
    () => setDraft(undefined),
  )
  const move = (index: number, by: number) => {
    const next = rules.toSpliced(index, 1)
    const rule = rules[index]
    if (rule) setDraft(next.toSpliced(index + by, 0, rule))
  }
  const add = () =>
    setDraft([...rules, { id: undefined, key: crypto.randomUUID(), text: { ko: '', en: '' } }])
  return (
    <Panel title={t.rules} hint={t.rulesHint}>
      <AdminForm
        error={rules.some((_, index) => errorOf(error, index)) ? null : error}
        submit={t.saveRules}
        isBusy={isPending}
        onSubmit={() => mutate(undefined)}
      >
        {rules.map(({ key, id, text }, index) => (
          <div key={key} className={styles.rule}>
            <LocalField
              label={t.rule(index + 1)}
              value={text}
              error={errorOf(error, index)}
              max={300}
              rows={2}
              onChange={(changed) => setDraft(rules.with(index, { key, id, text: changed }))}
            />
            <div className={styles.buttons}>
              <IconButton
                icon={<ArrowUp />}
                label={t.moveUp(index + 1)}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <IconButton
                icon={<ArrowDown />}
                label={t.moveDown(index + 1)}
                disabled={index === rules.length - 1}
                onClick={() => move(index, 1)}
              />
              <IconButton
                icon={<Trash2 />}
                label={t.removeRule(index + 1)}
                onClick={() => setDraft(rules.toSpliced(index, 1))}
              />
            </div>
          </div>
        ))}
        {rules.length === 0 && <p className={styles.muted}>{t.noRules}</p>}
        {rules.length < RULES_MAX && (
          <div>
            <Button icon={<Plus />} onClick={add}>
              {t.addRule}
            </Button>
          </div>
        )}
      </AdminForm>
    </Panel>
  )
}

/**
 * Returns the server's error message for the rule at `index`, or undefined. The error's field is, for example,
 * `rules.1.text.ko`.
 */
function errorOf(error: unknown, index: number): string | undefined {
  if (!(error instanceof PlazaError)) return undefined
  return error.details.find(({ field }) => field.startsWith(`rules.${index}.`))?.message
}
