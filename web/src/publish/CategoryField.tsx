import { Clapperboard, Gamepad2, Sparkles } from 'lucide-react'
import { useId } from 'react'
import { texts as contentTexts } from '../contents/texts.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Publish.module.css'
import { type Category, categoriesOf, type ContentType } from './kinds.ts'
import { texts } from './texts.ts'

const CATEGORIES = [
  { name: 'hype', Icon: Sparkles },
  { name: 'swipe', Icon: Clapperboard },
  { name: 'jump', Icon: Gamepad2 },
] as const

interface Props {
  /** Type of the content. It restricts the categories. */
  type: ContentType
  value: Category
  onChange: (category: Category) => void
}

export function CategoryField({ type, value, onChange }: Props) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const id = useId()
  const allowed = categoriesOf(type)
  return (
    <fieldset className={styles.group}>
      <legend className="unseen">{t.category}</legend>
      {CATEGORIES.map(({ name, Icon }) => (
        <label key={name} className={styles.choice} data-category={name}>
          <input
            type="radio"
            name={id}
            className={styles.radio}
            checked={value === name}
            disabled={!allowed.includes(name)}
            aria-describedby={`${id}-${name}`}
            onChange={() => onChange(name)}
          />
          <span className={styles.name}>
            <Icon aria-hidden="true" />
            {words.category[name]}
          </span>
          <span id={`${id}-${name}`} className={styles.line}>
            {allowed.includes(name) ? t.about[name] : t.notFor[name]}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** List of all categories, visible before files are chosen. */
export function Categories() {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  return (
    <ul className={styles.group}>
      {CATEGORIES.map(({ name, Icon }) => (
        <li key={name} className={styles.choice} data-category={name}>
          <span className={styles.name}>
            <Icon aria-hidden="true" />
            {words.category[name]}
          </span>
          <span className={styles.line}>{t.about[name]}</span>
        </li>
      ))}
    </ul>
  )
}
