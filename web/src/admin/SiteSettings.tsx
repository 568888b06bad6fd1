import { queryOptions, useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type DataOf, type InputOf, PlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { fieldErrorsOf, Options, Select, TextArea, TextField } from '../ui/Field.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Columns, Panel } from '../ui/Panel.tsx'
import { Loaded } from '../ui/Problem.tsx'
import styles from './admin.module.css'
import {
  AdminForm,
  adminPage,
  fromLocal,
  type Local,
  LocalField,
  toLocal,
  useAct,
} from './adminParts.tsx'
import { AccentField, LogoField, Preview } from './Branding.tsx'
import { texts } from './siteTexts.ts'

type AdminSite = DataOf<'getSiteSettings'>
type Settings = AdminSite['settings']
type Change = Omit<InputOf<'updateSiteSettings'>, 'revision'>
/** Unsaved settings. `logo_url` is the address of a newly uploaded logo, which the preview shows. */
type Draft = Change & Partial<Pick<Settings, 'logo_url'>>

const settingsQuery = queryOptions({
  queryKey: ['admin', 'site'],
  queryFn: ({ signal }) => plaza.site.getSettings({}, { signal }),
})

export const SiteSettings = adminPage('site', Shown)

function Shown() {
  const [draft, setDraft] = useState<Draft>({})
  return (
    <Loaded query={useQuery(settingsQuery)} skeleton={<Skeleton height="60dvh" />}>
      {(site) => (
        <Columns side={<Preview settings={{ ...site.settings, ...draft }} />}>
          <SettingsForm site={site} draft={draft} onDraft={setDraft} />
          <RulesPanel site={site} />
        </Columns>
      )}
    </Loaded>
  )
}

interface FormProps {
  site: AdminSite
  draft: Draft
  onDraft: (draft: Draft) => void
}

const GIB = 1024 ** 3

function SettingsForm({ site, draft, onDraft }: FormProps) {
  const t = useTexts(texts)
  const save = useAct(
    (changed: Draft) => {
      const change = { revision: site.revision, ...changed }
      // Removes `logo_url`, which is only for the preview. The server derives the logo's address from the upload.
      delete change.logo_url
      return plaza.site.updateSettings(change)
    },
    t.saved,
    () => onDraft({}),
  )
  const errors = fieldErrorsOf(save.error)
  const settings = { ...site.settings, ...draft }
  const change = (next: Draft) => onDraft({ ...draft, ...next })
  const bind = (name: keyof Change & keyof Settings) => {
    const isLocked = site.locked.includes(name)
    return {
      name,
      label: t.settings[name as keyof typeof t.settings],
      hint: isLocked ? t.locked : t.hints[name as keyof typeof t.hints],
      error: errors[name],
      disabled: isLocked,
    }
  }
  const bindText = (name: 'name' | 'description' | 'contact' | 'security_contact') => ({
    ...bind(name),
    value: settings[name] ?? '',
    autoComplete: 'off',
    onChange: ({ target: { value } }: { target: { value: string } }) =>
      change({ [name]: value || (name.endsWith('contact') ? null : '') }),
  })
  const bindChoice = (name: 'registration' | 'adult_default' | 'ai_crawlers') => ({
    ...bind(name),
    value: settings[name],
    onChange: ({ target: { value } }: { target: { value: string } }) => change({ [name]: value }),
    children: <Options entries={Object.entries(t.choices[name])} />,
  })
  const quota = settings.default_quota_bytes
  return (
    <Panel title={t.general}>
      <AdminForm
        error={save.error}
        fields={Object.keys(settings)}
        submit={t.save}
        isBusy={save.isPending}
        onSubmit={() => save.mutate(draft)}
      >
        <TextField {...bindText('name')} maxLength={50} />
        <TextArea {...bindText('description')} maxLength={300} rows={2} />
        <LogoField settings={settings} error={errors['logo_upload_id']} onChange={change} />
        <AccentField settings={settings} error={errors['accent']} onChange={change} />
        <div className={styles.pair}>
          <TextField {...bindText('contact')} maxLength={254} />
          <TextField {...bindText('security_contact')} maxLength={254} />
          <Select {...bindChoice('registration')} />
          <TextField
            {...bind('invites_per_user')}
            type="number"
            min={0}
            max={100}
            value={settings.invites_per_user}
            onChange={({ target }) => change({ invites_per_user: Number(target.value) })}
          />
          <TextField
            {...bind('default_quota_bytes')}
            type="number"
            min={0}
            step="any"
            value={quota === null ? '' : Math.round((quota / GIB) * 100) / 100}
            onChange={({ target: { value } }) =>
              change({ default_quota_bytes: value === '' ? null : Math.round(Number(value) * GIB) })
            }
          />
          <Select {...bindChoice('adult_default')} />
          <Select {...bindChoice('ai_crawlers')} />
        </div>
      </AdminForm>
    </Panel>
  )
}

interface Rule {
  /** Undefined for a new rule. */
  id: string | undefined
  key: string
  text: Local
}

const RULES_MAX = 30

/** Editor of the site's rules. Edited rules keep their ids, because reports and decisions refer to them. */
function RulesPanel({ site }: { site: DataOf<'getSiteSettings'> }) {
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
