/** Logo and accent colour of the site, with a preview in both themes. */
import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { DataOf } from '#sdk'
import { PictureButton } from '../account/Picture.tsx'
import { tokensOf } from '../device/accent.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { FieldError, TextField } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './admin.module.css'
import { texts } from './siteTexts.ts'

type Settings = DataOf<'getSiteSettings'>['settings']

interface Props {
  settings: Settings
  error: string | undefined
  onChange: (change: Partial<Pick<Settings, 'accent' | 'logo_upload_id' | 'logo_url'>>) => void
}

export function LogoField({ settings: { logo_url }, error, onChange }: Props) {
  const t = useTexts(texts)
  const sending = useMutation({
    mutationFn: (file: File) => plaza.upload(file, { name: file.name }),
    onSuccess: ({ id, url }) => onChange({ logo_upload_id: id, logo_url: url }),
  })
  return (
    <div className={styles.logoField} role="group" aria-label={t.logo}>
      <strong className="bold">{t.logo}</strong>
      {logo_url && <img src={logo_url} alt={t.logo} className={styles.logo} />}
      <div className={styles.buttons}>
        <PictureButton name={t.chooseLogo} isBusy={sending.isPending} onChoose={sending.mutate}>
          {t.chooseLogo}
        </PictureButton>
        {logo_url && (
          <Button
            look="plain"
            icon={<Trash2 />}
            onClick={() => onChange({ logo_upload_id: null, logo_url: null })}
          >
            {t.removeLogo}
          </Button>
        )}
      </div>
      <span className="fine">{t.logoHint}</span>
      <FieldError>{error}</FieldError>
      {sending.error && <Problem error={sending.error} />}
    </div>
  )
}

/** Design tokens of the default accent colour, as in tokens.css. */
const DEFAULTS = {
  '--accent': 'light-dark(#2b59c3, #8fb0ff)',
  '--accent-soft': 'light-dark(#e6ecfa, #222c44)',
  '--on-accent': 'light-dark(#fbfbff, #10131c)',
}
/** Value of the colour field while the site uses the default accent colour. */
const DEFAULT = '#2b59c3'

export function AccentField({ settings: { accent }, error, onChange }: Props) {
  const t = useTexts(texts)
  return (
    <div className={styles.accentField}>
      <TextField
        label={t.accent}
        hint={accent === null ? t.accentDefault : t.accentHint}
        error={error}
        type="color"
        className={styles.colour}
        value={accent ?? DEFAULT}
        onChange={({ target }) => onChange({ accent: target.value })}
      />
      {accent !== null && (
        <Button look="plain" onClick={() => onChange({ accent: null })}>
          {t.resetAccent}
        </Button>
      )}
    </div>
  )
}

export function Preview({ settings: { name, logo_url, accent } }: { settings: Settings }) {
  const t = useTexts(texts)
  const tokens = accent === null ? DEFAULTS : tokensOf(accent)
  return (
    <Panel title={t.preview} isAside>
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} className={styles.preview} style={{ ...tokens, colorScheme: theme }}>
          <span className={styles.previewName}>
            {logo_url ? <img src={logo_url} alt="" /> : <i aria-hidden="true" />}
            <strong>{name || '…'}</strong>
          </span>
          <span className={styles.previewButton}>{t.previewButton}</span>
          <span className={styles.previewLink}>{t.previewLink}</span>
          <span className={styles.previewBadge}>{t.themes[theme]}</span>
        </div>
      ))}
    </Panel>
  )
}
