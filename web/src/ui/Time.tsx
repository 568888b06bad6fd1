import { useFormats } from '../language/formats.ts'
import { useMinutes } from '../language/minute.ts'

/** How long ago; the exact time when pointed at. */
export function Time({ at }: { at: string }) {
  const formats = useFormats()
  useMinutes()
  return (
    <time dateTime={at} title={formats.dateTime(at)}>
      {formats.ago(at)}
    </time>
  )
}
