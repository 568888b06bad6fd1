/** Unsent drafts, stored on this device per user and place. */
import { useCallback, useMemo, useState } from 'react'
import { keep, load, loadJson } from '../device/storage.ts'
import { useViewer } from './viewer.ts'

const PREFIX = 'plaza.draft'

/** Storage keys of a place: the viewer's own, and the one for drafts from before signing in. */
function useKeys(place: string) {
  const viewer = useViewer()
  const nobodys = `${PREFIX}..${place}`
  return { key: viewer ? `${PREFIX}.${viewer.id}.${place}` : nobodys, nobodys }
}

/** Returns a text draft and its setter. A draft from before signing in is carried over. */
export function useDraft(place: string): readonly [string, (text: string) => void] {
  const { key, nobodys } = useKeys(place)
  const [cached, setKept] = useState({ key: '', text: '' })
  const text = cached.key === key ? cached.text : load(key) || load(nobodys) || ''
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
  /** Returns null without a draft, or when it cannot be read. */
  load: () => unknown
  /** Stores JSON, or removes the draft when null. Returns false when the browser refuses. */
  save: (json: string | null) => boolean
}

/** Returns functions that load and save the draft of a whole form. */
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
