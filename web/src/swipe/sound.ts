/** Whether works are heard: not until one asks for it, and then on this device from now on. */
import { useState } from 'react'
import { keep, load } from '../device/kept.ts'

const KEY = 'plaza.swipe.sound'

export interface Sound {
  isOn: boolean
  turn: (isOn: boolean) => void
  /** The browser lets nothing be heard before the first click; the wish is kept. */
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
