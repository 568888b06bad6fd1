import { useTexts } from '../language/texts.ts'
import { Select, TextArea, TextField } from '../ui/Field.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'
import type { Work } from './work.ts'

interface Props {
  work: Work
  change: (change: Partial<Work>) => void
  errors: Partial<Record<string, string>>
  /** An archive has pages, one of which starts the game. */
  hasPages: boolean
}

/** How a game is held and played. */
export function GameFields({ work, change, errors, hasPages }: Props) {
  const t = useTexts(texts)
  return (
    <div className={styles.fields}>
      <Select
        label={t.orientation}
        value={work.orientation}
        onChange={({ target }) => change({ orientation: target.value as Work['orientation'] })}
      >
        <option value="any">{t.anyOrientation}</option>
        <option value="landscape">{t.landscape}</option>
        <option value="portrait">{t.portrait}</option>
      </Select>
      <TextArea
        label={t.controls}
        name="controls"
        hint={t.controlsHint}
        placeholder={t.controlsSample}
        value={work.controls}
        error={errors['controls']}
        rows={4}
        onChange={({ target }) => change({ controls: target.value })}
      />
      {hasPages && (
        <TextField
          label={t.entry}
          name="entry"
          hint={t.entryHint}
          value={work.entry}
          error={errors['game']}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          onChange={({ target }) => change({ entry: target.value })}
        />
      )}
    </div>
  )
}
