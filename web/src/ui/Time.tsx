import { useEffect, useState } from 'react'
import { useFormats } from '../language/formats.ts'
import { daysSince } from '../language/dates.ts'
import { defineTexts, useTexts } from '../language/texts.ts'

const MINUTE_MS = 60_000

export function Time({ time }: { time: string }) {
  const formats = useFormats()
  const [, setMinutes] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMinutes((minutes) => minutes + 1), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <time
      dateTime={time}
      // Sets the tooltip on use, because the first date takes milliseconds to format.
      onPointerEnter={({ currentTarget }) => (currentTarget.title = formats.dateTime(time))}
    >
      {formats.ago(time)}
    </time>
  )
}

const texts = defineTexts({
  today: ['오늘', 'Today'],
  yesterday: ['어제', 'Yesterday'],
})

export function DayName({ time }: { time: string }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const past = daysSince(time)
  const name = past === 0 ? t.today : past === 1 ? t.yesterday : formats.day(time)
  return <time dateTime={time}>{name}</time>
}
