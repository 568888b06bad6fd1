import { useEffect, useState } from 'react'
import { useFormats } from '../language/formats.ts'

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
