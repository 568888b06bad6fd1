import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Account } from '#sdk'
import { PasswordField } from '../join/fields.tsx'
import { PASSWORD_MAX, PASSWORD_MIN, passwordLengthOf } from '../join/rules.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Problem } from '../ui/Problem.tsx'
import { fieldErrorsOf, restOf, useWrongField } from '../ui/fieldErrors.ts'
import styles from './Account.module.css'
import { sessionsQuery, useUpdate } from './queries.ts'
import { texts } from './texts.ts'

export function PasswordPart({ account }: { account: Account }) {
  const t = useTexts(texts)
  const { current, setCurrent, wanted, setWanted, length, errors, rest, ...form } = useChange()
  return (
    <form ref={form.ref} className={styles.form} noValidate onSubmit={form.submit}>
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
        error={errors.current}
        value={current}
        autoComplete="current-password"
        required
        onChange={(event) => setCurrent(event.target.value)}
      />
      <div className={styles.wanted}>
        <PasswordField
          label={t.newPassword}
          hint={t.passwordHelp}
          error={errors.wanted}
          value={wanted}
          autoComplete="new-password"
          required
          onChange={(event) => setWanted(event.target.value)}
        />
        <Length length={length} isSaid={errors.wanted !== undefined} />
      </div>
      {rest != null && <Problem error={rest} />}
      <div className={styles.actions}>
        <Button type="submit" look="primary" busy={form.isPending}>
          {t.changePassword}
        </Button>
        <p className="fine">{t.passwordNote}</p>
      </div>
    </form>
  )
}

function useChange() {
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
  const ref = useWrongField(error, tries)
  const submitted = tries > 0
  const said = fieldErrorsOf(error)
  const length = passwordLengthOf(wanted)
  const wrong = length < PASSWORD_MIN ? t.passwordMore(PASSWORD_MIN - length) : t.passwordOver
  const isGood = length >= PASSWORD_MIN && length <= PASSWORD_MAX
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!current || !isGood) setTries(tries + 1)
    if (!current || !isGood || isPending) return
    mutate({ current_password: current, new_password: wanted })
  }
  const errors = {
    current: submitted && !current ? t.currentMissing : said['current_password'],
    wanted: submitted && !isGood ? wrong : said['new_password'],
  }
  const rest = restOf(error, ['current_password', 'new_password'])
  return { ref, current, setCurrent, wanted, setWanted, length, errors, rest, isPending, submit }
}

const LONG = 20

/** Meter of a password's length. `isSaid` omits the meter's text when the field already shows an error. */
function Length({ length, isSaid }: { length: number; isSaid: boolean }) {
  const t = useTexts(texts)
  const share = Math.min(1, length / LONG)
  const isEnough = length >= PASSWORD_MIN && length <= PASSWORD_MAX
  return (
    <div className={styles.meter}>
      <div className={styles.track} aria-hidden="true">
        <div
          className={`${styles.fill} ${isEnough ? styles.enough : ''}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {!isSaid && (
        <p>
          <Words length={length} />
        </p>
      )}
      {/* Screen readers announce this once, when the password is long enough, instead of on every keystroke. */}
      <p className="unseen" role="status">
        {isEnough && t.passwordGood}
      </p>
    </div>
  )
}

function Words({ length }: { length: number }) {
  const t = useTexts(texts)
  if (length < PASSWORD_MIN) return t.passwordMore(PASSWORD_MIN - length)
  if (length > PASSWORD_MAX) return t.passwordOver
  return length < LONG ? t.passwordEnough(length) : t.passwordLong(length)
}
