/** Unsent drafts: kept on this device, for each user and place. */
import { useCallback, useMemo, useState } from 'react'
import { keep, load, loadJson } from '../device/kept.ts'
import { useViewer } from './viewer.ts'

const PREFIX = 'plaza.draft'

/** The viewer's key for a place, and that of drafts from before they signed in. */
function useKeys(place: string) {
  const viewer = useViewer()
  const nobodys = `${PREFIX}..${place}`
  return { key: viewer ? `${PREFIX}.${viewer.id}.${place}` : nobodys, nobodys }
}

/** The draft of one text, and its setter. After signing in the draft from before continues. */
export function useDraft(place: string): readonly [string, (text: string) => void] {
  const { key, nobodys } = useKeys(place)
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

interface KeptForm {
  /** Null without a draft, or where it cannot be read. */
  load: () => unknown
  /** Takes JSON; null removes the draft. Returns false where nothing can be kept. */
  save: (json: string | null) => boolean
}

/** The draft of a whole form. */
export function useFormDraft(place: string): KeptForm {
  const { key, nobodys } = useKeys(place)
  return useMemo(
    () => ({
      load: () => loadJson(key) ?? loadJson(nobodys),
      save: (json) => {
        if (key !== nobodys) keep(nobodys, null)
        return keep(key, json)
      },
    }),
    [key, nobodys],
  )
}
