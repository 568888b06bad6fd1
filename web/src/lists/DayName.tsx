import { daysSince } from '../language/ago.ts'
import { useFormats } from '../language/formats.ts'
import { defineTexts, useTexts } from '../language/texts.ts'

const texts = defineTexts({
  ko: { today: '오늘', yesterday: '어제' },
  en: { today: 'Today', yesterday: 'Yesterday' },
})

export function DayName({ time }: { time: string }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const past = daysSince(time)
  const name = past === 0 ? t.today : past === 1 ? t.yesterday : formats.day(time)
  return <time dateTime={time}>{name}</time>
}
