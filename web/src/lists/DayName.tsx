import { daysSince } from '../language/ago.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { texts } from './texts.ts'

export function DayName({ at }: { at: string }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const past = daysSince(at)
  const name = past === 0 ? t.today : past === 1 ? t.yesterday : formats.day(at)
  return <time dateTime={at}>{name}</time>
}
