import { useCallback, useMemo, useState } from 'react'
import { keep, load, loadJson } from '../device/storage.ts'
import { useViewer } from './viewer.ts'

const PREFIX = 'plaza.draft'

/** Returns the storage keys of a draft. `signedOutKey` is the key of a draft from before the sign-in. */
function useKeys(place: string) {
  const viewer = useViewer()
  const signedOutKey = `${PREFIX}..${place}`
  return { key: viewer ? `${PREFIX}.${viewer.id}.${place}` : signedOutKey, signedOutKey }
}

/**
 * Returns the stored draft of a text and a function that changes it. A draft that a visitor wrote before signing in
 * becomes the viewer's draft.
 */
export function useDraft(place: string): readonly [string, (text: string) => void] {
  const { key, signedOutKey } = useKeys(place)
  const [cached, setKept] = useState({ key: '', text: '' })
  const text = cached.key === key ? cached.text : load(key) || load(signedOutKey) || ''
  const change = useCallback(
    (next: string) => {
      setKept({ key, text: next })
      keep(key, next || null)
      if (key !== signedOutKey) keep(signedOutKey, null)
    },
    [key, signedOutKey],
  )
  return [text, change]
}

interface KeptForm {
  /** Returns the stored form. Null when there is no draft or it cannot be read. */
  load: () => unknown
  /**
   * Stores the draft as JSON, or removes it when null. Returns false when the browser refuses to store it.
   */
  save: (json: string | null) => boolean
}

export function useFormDraft(place: string): KeptForm {
  const { key, signedOutKey } = useKeys(place)
  return useMemo(
    () => ({
      load: () => loadJson(key) ?? loadJson(signedOutKey),
      save: (json) => {
        if (key !== signedOutKey) keep(signedOutKey, null)
        return keep(key, json)
      },
    }),
    [key, signedOutKey],
  )
}
