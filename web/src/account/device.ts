/** Detects the browser and the operating system from a User-Agent header. */

interface Device {
  name: string
  /** Operating system. Null for programs, because their User-Agent does not contain one. */
  system: string | null
  isHandheld: boolean
}

/** The first match wins, because most browsers also name the browsers they derive from. */
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

/** Returns null when the User-Agent is unknown. */
export function deviceOf(agent: string | null): Device | null {
  if (!agent) return null
  const system = firstOf(SYSTEMS, agent)
  const name = firstOf(BROWSERS, agent)
  if (name && system) return { name, system, isHandheld: /Mobile|iPad|Android/.test(agent) }
  // Excludes `Mozilla`, because the User-Agent of every browser begins with it.
  const [program] = /^(?!Mozilla\b)[\w.-]{1,40}/.exec(agent) ?? []
  return program ? { name: program, system: null, isHandheld: false } : null
}
