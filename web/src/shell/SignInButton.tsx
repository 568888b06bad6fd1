import { useLocation } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import { LinkButton } from '../ui/Button.tsx'
import { texts } from './texts.ts'

interface Props {
  size?: 'small'
  wide?: boolean
}

/** Link to the sign-in page. Hidden on that page, and less prominent on the sign-up page. */
export function SignInButton(look: Props) {
  const t = useTexts(texts)
  const { pathname } = useLocation()
  if (pathname === '/sign-in') return null
  return (
    <LinkButton {...look} look={pathname === '/sign-up' ? 'quiet' : 'primary'} to="/sign-in">
      {t.signIn}
    </LinkButton>
  )
}
