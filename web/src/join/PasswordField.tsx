import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { TextField } from '../ui/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './Join.module.css'
import { texts } from './texts.ts'

export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'style'>) {
  const t = useTexts(texts)
  const [isShown, setIsShown] = useState(false)
  return (
    <div className={styles.password}>
      <TextField
        autoCapitalize="none"
        spellCheck="false"
        {...props}
        type={isShown ? 'text' : 'password'}
        style={{ paddingInlineEnd: 52 }}
      />
      <IconButton
        className={styles.eye}
        icon={isShown ? <EyeOff /> : <Eye />}
        label={isShown ? t.hidePassword : t.showPassword}
        onClick={() => setIsShown(!isShown)}
      />
    </div>
  )
}
