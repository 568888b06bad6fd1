import { useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { TextField } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { AppealForm } from './AppealForm.tsx'
import styles from './Join.module.css'
import { PasswordField } from './PasswordField.tsx'
import { PASSWORD_MAX } from './rules.ts'
import { texts } from './texts.ts'

/** Page on which users of suspended accounts appeal without signing in. */
export function Appeal() {
  const t = useTexts(texts)
  const [identifier, setIdentifier] = useState('')
  const [password, setPassword] = useState('')
  return (
    <div className={styles.narrow}>
      <Page title={t.appeal} lead={t.appealLead} width="reading">
        <div className={styles.card}>
          <AppealForm credentials={{ identifier: identifier.trim(), password }}>
            <TextField
              label={t.identifier}
              name="identifier"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck="false"
              required
              maxLength={254}
              value={identifier}
              onChange={({ target }) => setIdentifier(target.value)}
            />
            <PasswordField
              label={t.password}
              name="password"
              autoComplete="current-password"
              required
              maxLength={PASSWORD_MAX}
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </AppealForm>
        </div>
      </Page>
    </div>
  )
}
