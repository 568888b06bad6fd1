import { Link } from '@tanstack/react-router'
import styles from './Logo.module.css'

export function Logo({ className }: { className?: string | undefined }) {
  return (
    <Link to="/" className={`${styles.logo} ${className ?? ''}`} aria-label="Plaza">
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
      <span>Plaza</span>
    </Link>
  )
}
