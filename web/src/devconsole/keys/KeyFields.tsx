import type { App } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { fieldErrorsOf } from '../../ui/fieldErrors.ts'
import { ScopeChoice } from '../ScopeChoice.tsx'
import { EnvironmentChoice } from './EnvironmentChoice.tsx'
import { type Expiry, ExpiryChoice } from './ExpiryChoice.tsx'
import { NameField } from './NameField.tsx'
import { texts } from './texts.ts'

export interface KeyDraft {
  name: string
  environment: 'live' | 'test'
  scopes: readonly string[]
  expiry: Expiry
}

interface Props {
  app: App
  draft: KeyDraft
  onChange: (change: Partial<KeyDraft>) => void
  hasWrongEnd: boolean
  error: unknown
}

export function KeyFields({ app, draft, onChange, hasWrongEnd, error }: Props) {
  const t = useTexts(texts)
  return (
    <>
      <NameField name={draft.name} onChange={(name) => onChange({ name })} error={error} />
      <EnvironmentChoice
        chosen={draft.environment}
        onChange={(environment) => onChange({ environment })}
      />
      <ScopeChoice
        chosen={draft.scopes}
        onChange={(scopes) => onChange({ scopes })}
        among={app.scopes}
        hint={app.scopes.length > 0 ? t.scopesHint : t.noAppScopes}
        error={fieldErrorsOf(error)['scopes']}
      />
      <ExpiryChoice
        expiry={draft.expiry}
        onChange={(expiry) => onChange({ expiry })}
        error={hasWrongEnd ? t.datePast : fieldErrorsOf(error)['expires_at']}
      />
    </>
  )
}
