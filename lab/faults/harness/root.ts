/** Returns the missing requirement when the process is not root, otherwise undefined. */
export function needsRoot(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'needs root'
}
