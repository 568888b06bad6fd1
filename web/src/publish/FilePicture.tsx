import { Film, Image, Music, Package } from 'lucide-react'
import { useState } from 'react'
import type { Entry } from './uploads.ts'

const ICONS = { video: Film, sound: Music, bundle: Package, picture: Image }

interface Props {
  entry: Entry
  className?: string | undefined
}

/**
 * Preview of a picture or of a video's first frame. Shows an icon when the browser cannot decode the file.
 */
export function FilePicture({ entry: { kind, preview }, className }: Props) {
  const [isBroken, setIsBroken] = useState(false)
  const shown = { className, onError: () => setIsBroken(true) }
  if (preview && kind === 'picture' && !isBroken) return <img {...shown} src={preview} alt="" />
  if (preview && !isBroken) {
    return (
      <video
        {...shown}
        src={preview}
        muted
        playsInline
        preload="metadata"
        tabIndex={-1}
        aria-hidden="true"
      />
    )
  }
  const Icon = ICONS[kind]
  return (
    <span className={className}>
      <Icon aria-hidden="true" />
    </span>
  )
}
