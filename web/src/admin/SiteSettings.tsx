import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DataOf, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { fieldErrorsOf, Options, Select, TextArea, TextField } from '../ui/Field.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Columns, Panel } from '../ui/Panel.tsx'
import { Loaded } from '../ui/Problem.tsx'
import { AdminForm, useAct } from './acting.tsx'
import styles from './admin.module.css'
import { adminPage } from './AdminPage.tsx'
import { AccentField, LogoField, Preview } from './Branding.tsx'
import { RulesPanel } from './RulesPanel.tsx'
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
