/** What was begun and not sent: kept on this device, for each person and place. */
import { useCallback, useState } from 'react'
import { keep, load } from '../device/kept.ts'
import { useViewer } from './viewer.ts'

const PREFIX = 'plaza.draft'

/** What was begun at a place, and what changes it. Who signs in goes on with what they began before. */
export function useDraft(place: string): readonly [string, (text: string) => void] {
  const viewer = useViewer()
  const nobodys = `${PREFIX}..${place}`
  const key = viewer ? `${PREFIX}.${viewer.id}.${place}` : nobodys
  const [kept, setKept] = useState({ key: '', text: '' })
  const text = kept.key === key ? kept.text : load(key) || load(nobodys) || ''
  const change = useCallback(
    (next: string) => {
      setKept({ key, text: next })
      keep(key, next || null)
      if (key !== nobodys) keep(nobodys, null)
    },
    [key, nobodys],
  )
  return [text, change]
}
