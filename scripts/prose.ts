/**
 * Searches comments, documents and commit subjects for old-fashioned phrases, and commit subjects for
 * excess length. Lists the violations and exits with 1 if there are any.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'

const PHRASES =
  /\b(?:but for|lest|anew|heed|be it|by which|thereof|whereof|whom|upon|none the less|whoever|whosoever|nobody|somebody|is told of|tells of)\b/i
const SUBJECT_MAX = 72
const FIRST_CHECKED = '1a857db'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n')

/** Returns the comment lines of a source file, or all lines of a document, without text in backticks. */
function proseOf(file: string): { line: number; text: string }[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const isDocument = file.endsWith('.md')
  return lines
    .map((text, index) => ({ line: index + 1, text }))
    .filter(({ text }) => isDocument || /^\s*(?:\/\/|\/?\*)|\s\/\/ /.test(text))
    .map(({ line, text }) => ({ line, text: text.replaceAll(/`[^`]*`/g, '') }))
}

const found: string[] = []
const files = globSync('**/*.{ts,tsx,mjs,css,md}', {
  exclude: (path) => /(?:^|\/)(?:node_modules|data|dist)$/.test(path),
})
for (const file of files) {
  if (file === 'scripts/prose.ts') continue
  for (const { line, text } of proseOf(file)) {
    const phrase = PHRASES.exec(text)?.[0]
    if (phrase) found.push(`${file}:${line}: "${phrase}"`)
  }
}
try {
  for (const subject of git('log', '--no-merges', '--format=%s', `${FIRST_CHECKED}..HEAD`)) {
    if (subject.length > SUBJECT_MAX) found.push(`commit subject over ${SUBJECT_MAX}: ${subject}`)
  }
} catch {
  console.warn('prose: the history is too short to check commit subjects')
}
for (const problem of found) console.error(problem)
process.exitCode = found.length > 0 ? 1 : 0
