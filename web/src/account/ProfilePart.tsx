import { type FormEvent, useState } from 'react'
import type { Account } from '#sdk'
import { DISPLAY_NAME_MAX } from '../join/rules.ts'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Counter } from '../ui/Counter.tsx'
import { TextArea, TextField } from '../ui/Field.tsx'
import { fieldErrorsOf, restOf } from '../ui/fieldErrors.ts'
import { Problem } from '../ui/Problem.tsx'
import styles from './Account.module.css'
import { EmailFact } from './EmailFact.tsx'
import { Picture } from './Picture.tsx'
import { texts } from './texts.ts'
import { useUpdate } from './useUpdate.ts'

const BIO_MAX = 500

export function ProfilePart({ account }: { account: Account }) {
  const t = useTexts(texts)
  return (
    <>
      <Picture account={account} />
      <div className={styles.apart}>
        <ProfileForm account={account} />
      </div>
      <div className={`${styles.facts} ${styles.apart}`}>
        <div className={styles.fact}>
          <div>
            <h3>{t.handle}</h3>
            <p>@{account.handle}</p>
            <p className={styles.note}>{t.handleHelp}</p>
          </div>
          <LinkButton size="small" to="/creators/$handle" params={{ handle: account.handle }}>
            {t.profileLink}
          </LinkButton>
        </div>
        <EmailFact account={account} />
      </div>
    </>
  )
}

function ProfileForm({ account }: { account: Account }) {
  const t = useTexts(texts)
  const { name, setName, bio, setBio, errors, rest, ...form } = useProfile(account)
  return (
    <form className={styles.form} noValidate onSubmit={form.submit}>
      <TextField
        label={t.name}
        hint={t.nameHelp}
        error={errors.name}
        value={name}
        autoComplete="nickname"
        required
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label={t.bio}
        hint={
          <>
            {t.bioHelp} <Counter length={lengthOf(bio)} max={BIO_MAX} />
          </>
        }
        error={errors.bio}
        value={bio}
        onChange={(event) => setBio(event.target.value)}
      />
      {rest != null && <Problem error={rest} />}
      <div className={styles.actions}>
        <Button type="submit" look="primary" busy={form.isPending} disabled={!form.isChanged}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}

function useProfile(account: Account) {
  const t = useTexts(texts)
  const [name, setName] = useState(account.display_name)
  const [bio, setBio] = useState(account.bio ?? '')
  const [isTried, setIsTried] = useState(false)
  const { mutate, isPending, error } = useUpdate(t.saved, (user) => {
    // As the server keeps it, which leaves out blanks around it.
    setName(user.display_name)
    setBio(user.bio ?? '')
    setIsTried(false)
  })
  const said = fieldErrorsOf(error)
  const overOf = (text: string, max: number) =>
    lengthOf(text) > max ? t.tooLong(lengthOf(text) - max) : undefined
  const isMissing = lengthOf(name) === 0
  const [wrongName, wrongBio] = [overOf(name, DISPLAY_NAME_MAX), overOf(bio, BIO_MAX)]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (isMissing || wrongName || wrongBio || isPending) return
    mutate({ display_name: name, bio: bio.trim() ? bio : null })
  }
  const errors = {
    name: wrongName ?? (isTried && isMissing ? t.required : said['display_name']),
    bio: wrongBio ?? said['bio'],
  }
  const rest = restOf(error, ['display_name', 'bio'])
  const isChanged = name !== account.display_name || bio !== (account.bio ?? '')
  return { name, setName, bio, setBio, errors, rest, isChanged, isPending, submit }
}
