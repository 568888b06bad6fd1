export function needsRoot(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'needs root'
}
