import { useEffect, useRef } from 'react'
import { useTexts } from '../language/texts.ts'
import { Select, TextArea, TextField } from '../ui/Field.tsx'
import { fieldErrorsOf } from '../ui/fieldErrors.ts'
import type { BrokenLine } from './redirects.ts'
import { ScopeChoice } from './ScopeChoice.tsx'
import { texts } from './texts.ts'

export interface AppDraft {
  name: string
  type: string
  description: string
  /** Redirect URIs, one per line. */
  redirects: string
  scopes: readonly string[]
}

interface Props {
  draft: AppDraft
  onChange: (change: Partial<AppDraft>) => void
  /** First invalid redirect URI. Undefined when all are valid. */
  broken: BrokenLine | undefined
  error: unknown
  scopesHint: string
  takesFocus: boolean
}

export function AppFields({ draft, onChange, broken, error, scopesHint, takesFocus }: Props) {
  const t = useTexts(texts)
  return (
    <>
      <Identity {...{ draft, onChange, error, takesFocus }} />
      <TextArea
        label={t.redirects}
        hint={t.redirectsHint}
        error={
          broken
            ? t.line(broken.line, t.redirectRules[broken.rule])
            : fieldErrorsOf(error)['redirect_uris']
        }
        value={draft.redirects}
        rows={3}
        spellCheck={false}
        placeholder="https://example.com/callback"
        onChange={({ target }) => onChange({ redirects: target.value })}
      />
      <ScopeChoice
        chosen={draft.scopes}
        onChange={(scopes) => onChange({ scopes })}
        hint={scopesHint}
        error={fieldErrorsOf(error)['scopes']}
      />
    </>
  )
}

type IdentityProps = Pick<Props, 'draft' | 'onChange' | 'error' | 'takesFocus'>

function Identity({ draft, onChange, error, takesFocus }: IdentityProps) {
  const t = useTexts(texts)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) first.current?.focus()
  }, [takesFocus])
  return (
    <>
      <TextField
        ref={first}
        label={t.name}
        hint={t.nameHint}
        error={fieldErrorsOf(error)['app_name']}
        value={draft.name}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <Select
        label={t.type}
        error={fieldErrorsOf(error)['app_type']}
        value={draft.type}
        onChange={({ target }) => onChange({ type: target.value })}
      >
        {Object.entries(t.types).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <TextArea
        label={t.description}
        hint={t.descriptionHint}
        error={fieldErrorsOf(error)['description']}
        value={draft.description}
        maxLength={1000}
        onChange={({ target }) => onChange({ description: target.value })}
      />
    </>
  )
}
