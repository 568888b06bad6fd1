/** What a fault needs of the machine beyond its programs. */
export function needsRoot(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'needs root'
}
