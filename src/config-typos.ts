import { SETTINGS } from './config.ts'

interface Mistyped {
  name: string
  suggestion: string
}

/**
 * Returns the names that are probably misspelt settings, each with a suggestion. Ignores case and the prefix
 * `PLAZA_`. A name may differ by two letters, or by one from a setting of four or five letters. Never suggests a
 * setting of three letters or fewer.
 */
export function listMistypedSettings(names: readonly string[]): Mistyped[] {
  const settings = Object.keys(SETTINGS)
  return names.flatMap((name) => {
    if (settings.includes(name)) return []
    const suggestion = settings.find((setting) => isNear(name, setting))
    return suggestion === undefined ? [] : [{ name, suggestion }]
  })
}

function isNear(name: string, setting: string): boolean {
  const most = setting.length > 5 ? 2 : 1
  const normalized = name.toUpperCase().replace(/^PLAZA_/, '')
  return setting.length > 3 && countEdits(normalized, setting) <= most
}

function countEdits(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return Infinity
  const rows = [Array.from({ length: right.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const distanceAt = (rowIndex: number, column: number) => rows[rowIndex]?.[column] ?? Infinity
      const isSame = left[i - 1] === right[j - 1]
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      row.push(
        Math.min(
          distanceAt(i - 1, j) + 1,
          (row[j - 1] as number) + 1,
          distanceAt(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwap ? distanceAt(i - 2, j - 2) + 1 : Infinity,
        ),
      )
    }
    rows.push(row)
  }
  return rows.at(-1)?.at(-1) as number
}
