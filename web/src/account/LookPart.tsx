import { useId } from 'react'
import { changeLook, type Language, type Theme, useLook } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import styles from './LookPart.module.css'
import { texts } from './texts.ts'

const THEMES: readonly { theme: Theme | undefined; name: 'system' | 'light' | 'dark' }[] = [
  { theme: undefined, name: 'system' },
  { theme: 'light', name: 'light' },
  { theme: 'dark', name: 'dark' },
]

/** Names of the languages in the language itself, so that users can recognize their own. */
const LANGUAGES: readonly { language: Language; name: string }[] = [
  { language: 'ko', name: '한국어' },
  { language: 'en', name: 'English' },
]

/** Form for the theme and language of this device. */
export function LookPart() {
  const t = useTexts(texts)
  const look = useLook()
  return (
    <div className={styles.look}>
      <Choice
        title={t.theme}
        options={THEMES.map(({ theme, name }) => ({
          name: t[name],
          isChosen: look.theme === theme,
          choose: () => changeLook({ theme }),
        }))}
      />
      <Choice
        title={t.language}
        options={LANGUAGES.map(({ language, name }) => ({
          name,
          lang: language,
          isChosen: look.language === language,
          choose: () => changeLook({ language }),
        }))}
      />
      <p className={styles.help}>{t.lookHelp}</p>
    </div>
  )
}

interface Option {
  name: string
  lang?: Language
  isChosen: boolean
  choose: () => void
}

/** Group of radio buttons. A choice applies immediately. */
function Choice({ title, options }: { title: string; options: readonly Option[] }) {
  const group = useId()
  return (
    <fieldset className={styles.choice}>
      <legend>{title}</legend>
      <div className={styles.options}>
        {options.map(({ name, lang, isChosen, choose }) => (
          <label key={name} className={styles.option} lang={lang}>
            <input type="radio" name={group} checked={isChosen} onChange={choose} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
