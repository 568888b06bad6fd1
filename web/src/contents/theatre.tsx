import { RectangleHorizontal } from 'lucide-react'
import { keep, load } from '../device/storage.ts'
import { createStore, useStore } from '../device/store.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { IconButton } from '../ui/Button.tsx'
import styles from './theatre.module.css'

const KEY = 'plaza.theatre'
const theatre = createStore(load(KEY) !== null)

/** True when videos and games take the whole width of the page. The choice is stored in the browser. */
export function useIsTheatre(): boolean {
  return useStore(theatre)
}

export function toggleTheatre(): void {
  const isOn = !theatre.get()
  keep(KEY, isOn ? 'on' : null)
  theatre.set(isOn)
}

export function TheatreButton() {
  const t = useTexts(texts)
  return (
    <IconButton
      className={styles.button ?? ''}
      icon={<RectangleHorizontal />}
      label={t.theatre}
      pressed={useIsTheatre()}
      onClick={toggleTheatre}
    />
  )
}

const texts = defineTexts({
  ko: { theatre: '넓게 보기 (T)' },
  en: { theatre: 'Theatre mode (T)' },
})
