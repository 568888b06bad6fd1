import { useFormats } from '../language/formats.ts'
import { useMinutes } from '../language/minute.ts'

/** Shows a relative time, with the exact time as a tooltip. */
export function Time({ at }: { at: string }) {
  const formats = useFormats()
  useMinutes()
  return (
    <time dateTime={at} title={formats.dateTime(at)}>
      {formats.ago(at)}
    </time>
  )
}
