import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Returns the path of an installed program, or undefined. Debian installs server programs in /usr/sbin, which is not on
 * every user's PATH.
 */
export function findProgram(name: string): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
