import { tokensOf } from './accent.ts'
import { keep, loadJson } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** Name, logo and accent colour of the site, which every page shows. */
interface Face {
  name: string
  logo_url: string | null
  accent: string | null
}

const KEY = 'plaza.face'
const face = createStore<Face>(remembered())
paint()

/** Returns the last known values from browser storage, so that pages show them before the server responds. */
function remembered(): Face {
  const { name = 'Plaza', logo_url = null, accent = null } = (loadJson(KEY) ?? {}) as Partial<Face>
  return { name, logo_url, accent }
}

function paint(): void {
  const { style } = document.documentElement
  for (const name of ['--accent', '--accent-soft', '--on-accent']) style.removeProperty(name)
  for (const [name, value] of Object.entries(tokensOf(face.get().accent))) {
    style.setProperty(name, value)
  }
}

export function changeFace({ name, logo_url, accent }: Face): void {
  const text = JSON.stringify({ name, logo_url, accent })
  if (text === JSON.stringify(face.get())) return
  keep(KEY, text)
  face.set({ name, logo_url, accent })
  paint()
}

export function useFace(): Face {
  return useStore(face)
}
