import { useFormats } from '../language/formats.ts'

/** How long ago; the exact time when pointed at. */
export function Time({ at }: { at: string }) {
  const formats = useFormats()
  return (
    <time dateTime={at} title={formats.dateTime(at)}>
      {formats.ago(at)}
    </time>
  )
}
