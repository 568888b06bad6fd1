import { type RefObject, useSyncExternalStore } from 'react'

type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void }

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/** Returns whether an element fills the screen, and a function that toggles it. */
export function useFullScreen(box: RefObject<HTMLElement | null>) {
  const isFull = useSyncExternalStore(
    subscribe,
    () => document.fullscreenElement !== null && document.fullscreenElement === box.current,
  )
  const toggle = () => {
    if (isFull) void document.exitFullscreen()
    else if (box.current?.requestFullscreen) void box.current.requestFullscreen().catch(() => {})
    else {
      // On an iPhone only a video element can fill the screen. The phone then shows its own controls.
      const video = box.current?.querySelector<PhoneVideo>('video')
      video?.webkitEnterFullscreen?.()
    }
  }
  return { isFull, toggle }
}
