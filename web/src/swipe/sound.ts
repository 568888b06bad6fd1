import { useState } from 'react'
import { keep, load } from '../device/storage.ts'

const KEY = 'plaza.swipe.sound'

export interface Sound {
  isOn: boolean
  turn: (isOn: boolean) => void
  /** Turns the sound off without storing the choice, because the browser has blocked the sound. */
  refuse: () => void
}

export function useSound(): Sound {
  const [isOn, setIsOn] = useState(() => load(KEY) === 'on')
  return {
    isOn,
    turn: (wanted) => {
      setIsOn(wanted)
      keep(KEY, wanted ? 'on' : 'off')
    },
    refuse: () => setIsOn(false),
  }
}
