import { useCopyLink } from '../ui/copying.ts'

/** Returns a function that opens the share sheet on touch devices, and copies the link on desktops. */
export function useShare(): (content: { id: string; title: string }) => Promise<void> {
  const copyLink = useCopyLink()
  return async ({ id, title }) => {
    const url = `${location.origin}/contents/${id}`
    // Desktop share sheets offer few targets, so desktops copy the link.
    if ('share' in navigator && matchMedia('(hover: none)').matches) {
      // The promise also rejects when the user closes the share sheet. That is not an error.
      await navigator.share({ title, url }).catch(() => {})
    } else await copyLink(url)
  }
}
