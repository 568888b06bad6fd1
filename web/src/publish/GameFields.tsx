import type { Upload } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Select, TextArea } from '../ui/Field.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'
import type { Work } from './content.ts'

type BundleInfo = NonNullable<Upload['bundle']>

interface Props {
  content: Work
  change: (change: Partial<Work>) => void
  errors: Partial<Record<string, string>>
  /** Bundle of the game. Null until the server has received it. */
  bundle: BundleInfo | null
}

export function GameFields({ content, change, errors, bundle }: Props) {
  const t = useTexts(texts)
  return (
    <div className={styles.fields}>
      <Select
        label={t.orientation}
        value={content.orientation}
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
        value={content.controls}
        error={errors['controls']}
        rows={4}
        onChange={({ target }) => change({ controls: target.value })}
      />
      {bundle && bundle.pages.length > 1 && (
        <Select
          label={t.entry}
          name="entry"
          value={content.entry}
          error={errors['game']}
          onChange={({ target }) => change({ entry: target.value })}
        >
          <option value="">{t.entryByItself(bundle.entry ?? '')}</option>
          {bundle.pages.map((page) => (
            <option key={page} value={page}>
              {page}
            </option>
          ))}
        </Select>
      )}
      {bundle && bundle.warnings.length > 0 && <Warnings warnings={bundle.warnings} />}
    </div>
  )
}

function Warnings({ warnings }: Pick<BundleInfo, 'warnings'>) {
  const t = useTexts(texts)
  return (
    <div className={styles.warnings} role="status">
      <p>{t.absolutePaths}</p>
      <ul>
        {warnings.map(({ path, file }) => (
          <li key={path}>{t.pathInFile(path, file)}</li>
        ))}
      </ul>
      <p>{t.absolutePathsHelp}</p>
    </div>
  )
}
