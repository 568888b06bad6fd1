import { useFace } from '../device/face.ts'

/** Logo of the site, or the built-in logo in the accent colour. The container sets the logo's size. */
export function SiteMark() {
  const { logo_url } = useFace()
  if (logo_url) return <img src={logo_url} alt="" />
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="var(--accent)" />
      <path
        d="M10 24V9.500A1.500 1.500 0 0 1 11.500 8H17a5.500 5.500 0 0 1 0 11h-3.500"
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="3.200"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
