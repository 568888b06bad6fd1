import { daysSince } from '../language/ago.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { texts } from './texts.ts'

export function DayName({ time }: { time: string }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const past = daysSince(time)
  const name = past === 0 ? t.today : past === 1 ? t.yesterday : formats.day(time)
  return <time dateTime={time}>{name}</time>
}
