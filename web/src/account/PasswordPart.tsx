import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '#sdk'
import { PasswordField } from '../join/formParts.tsx'
import { PASSWORD_MAX, PASSWORD_MIN, passwordLengthOf } from '../join/rules.ts'
import { useTexts } from '../language/texts.ts'
import { fieldErrorsOf } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import styles from './Account.module.css'
import { sessionsQuery, useUpdate } from './queries.ts'
import { texts } from './texts.ts'

export function PasswordPart({ account }: { account: Account }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [current, setCurrent] = useState('')
  const [wanted, setWanted] = useState('')
  const [tries, setTries] = useState(0)
  const { mutate, isPending, error } = useUpdate(t.passwordChanged, () => {
    setCurrent('')
    setWanted('')
    setTries(0)
    void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  })
  const said = fieldErrorsOf(error)
  const length = passwordLengthOf(wanted)
  const ownWrong = length < PASSWORD_MIN ? t.passwordMore(PASSWORD_MIN - length) : t.passwordOver
  const isGood = length >= PASSWORD_MIN && length <= PASSWORD_MAX
  const wrong = tries > 0 && !isGood ? ownWrong : said['new_password']
  const submit = () => {
    if (current && isGood) mutate({ current_password: current, new_password: wanted })
    else setTries(tries + 1)
  }
  return (
    <Form
      error={error}
      fields={['current_password', 'new_password']}
      tries={tries}
      submit={t.changePassword}
      isBusy={isPending}
      onSubmit={submit}
      beside={<p className="fine">{t.passwordNote}</p>}
    >
      {/* Hidden field from which password managers read the handle of the account. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={account.handle}
        hidden
        readOnly
      />
      <PasswordField
        label={t.currentPassword}
        error={tries > 0 && !current ? t.currentMissing : said['current_password']}
        value={current}
        autoComplete="current-password"
        required
        onChange={({ target }) => setCurrent(target.value)}
      />
      <div className={styles.wanted}>
        <PasswordField
          label={t.newPassword}
          hint={t.passwordHelp}
          error={wrong}
          value={wanted}
          autoComplete="new-password"
          required
          onChange={({ target }) => setWanted(target.value)}
        />
        <Length length={length} isSaid={wrong !== undefined} />
      </div>
    </Form>
  )
}

const LONG = 20

/** Meter of a password's length. `isSaid` omits the meter's text when the field already shows an error. */
function Length({ length, isSaid }: { length: number; isSaid: boolean }) {
  const t = useTexts(texts)
  const share = Math.min(1, length / LONG)
  const isEnough = length >= PASSWORD_MIN && length <= PASSWORD_MAX
  const enough = length < LONG ? t.passwordEnough(length) : t.passwordLong(length)
  const over = length > PASSWORD_MAX ? t.passwordOver : enough
  const words = length < PASSWORD_MIN ? t.passwordMore(PASSWORD_MIN - length) : over
  return (
    <div className={styles.meter}>
      <div className={styles.track} aria-hidden="true">
        <div
          className={`${styles.fill} ${isEnough ? styles.enough : ''}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {!isSaid && <p>{words}</p>}
      {/* Screen readers announce this once, when the password is long enough, instead of on every keystroke. */}
      <p className="unseen" role="status">
        {isEnough && t.passwordGood}
      </p>
    </div>
  )
}
