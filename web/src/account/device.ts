/** What a device says of itself, as far as people know it by name. */

interface Device {
  /** A browser or a program. */
  name: string
  /** Null for programs, which tell nothing of what they run on. */
  system: string | null
  isHandheld: boolean
}

/** The first that fits names it: most browsers also say that they are those they descend from. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/KAKAOTALK/i, 'KakaoTalk'],
  [/NAVER\(/, 'Naver'],
  [/Whale\//, 'Whale'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/EdgA?\/|EdgiOS\//, 'Edge'],
  [/OPR\/|OPT\//, 'Opera'],
  [/FxiOS\/|Firefox\//, 'Firefox'],
  [/CriOS\/|HeadlessChrome\/|Chrome\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
]

function firstOf(list: readonly (readonly [RegExp, string])[], agent: string): string | undefined {
  return list.find(([pattern]) => pattern.test(agent))?.[1]
}

/** Null where nothing is known. */
export function deviceOf(agent: string | null): Device | null {
  if (!agent) return null
  const system = firstOf(SYSTEMS, agent)
  const name = firstOf(BROWSERS, agent)
  if (name && system) return { name, system, isHandheld: /Mobile|iPad|Android/.test(agent) }
  // `Mozilla` is what every browser says first, so it names none.
  const [program] = /^(?!Mozilla\b)[\w.-]{1,40}/.exec(agent) ?? []
  return program ? { name: program, system: null, isHandheld: false } : null
}
