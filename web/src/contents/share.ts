import { useCopyLink } from '../ui/copying.ts'

/** Returns a function that opens the device's share sheet, or copies the link on desktops. */
export function useShare(): (content: { id: string; title: string }) => Promise<void> {
  const copyLink = useCopyLink()
  return async ({ id, title }) => {
    const url = `${location.origin}/contents/${id}`
    // The share sheets of desktops offer too little to be useful.
    if ('share' in navigator && matchMedia('(hover: none)').matches) {
      // Closing the share sheet rejects, which is not an error.
      await navigator.share({ title, url }).catch(() => {})
    } else await copyLink(url)
  }
}
