import { useCopyLink } from '../ui/copying.ts'

/** Gives what opens the device's own sharing of a work; where it has none worth the name, copies the link. */
export function useShare(): (work: { id: string; title: string }) => Promise<void> {
  const copyLink = useCopyLink()
  return async ({ id, title }) => {
    const url = `${location.origin}/contents/${id}`
    // Desktops have no share sheet worth the name.
    if ('share' in navigator && matchMedia('(hover: none)').matches) {
      // Closing the sheet is no failure.
      await navigator.share({ title, url }).catch(() => {})
    } else await copyLink(url)
  }
}
