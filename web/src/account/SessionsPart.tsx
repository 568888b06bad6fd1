import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type LucideIcon, Monitor, Smartphone, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import type { Account, Session } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { deleteOnce, plaza } from '../session/plaza.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import { Checkbox } from '../ui/Field.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
import styles from './Account.module.css'
import { sessionsQuery, useUpdate } from './queries.ts'
import { texts } from './texts.ts'

const SHOWN = 12

export function SessionsPart({ account }: { account: Account }) {
  const t = useTexts(texts)
  const [showsAll, setShowsAll] = useState(false)
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  if (!sessions) {
    return error ? <Problem error={error} retry={() => void refetch()} /> : <Bones />
  }
  const others = sessions.filter((session) => !session.is_current)
  const shown = showsAll ? sessions : sessions.slice(0, SHOWN)
  return (
    <>
      <Alerts account={account} />
      <div className={styles.top}>
        <p className={styles.sessionsHelp}>{others.length > 0 ? t.sessionsHelp : t.onlyThis}</p>
        {others.length > 0 && <EndOthers ids={others.map(({ id }) => id)} />}
      </div>
      <ul className={styles.sessions}>
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {shown.length < sessions.length && (
        <Button wide look="plain" onClick={() => setShowsAll(true)}>
          {t.showAll(sessions.length)}
        </Button>
      )}
    </>
  )
}

function Alerts({ account }: { account: Account }) {
  const t = useTexts(texts)
  const { mutate, isPending } = useUpdate((user) =>
    user.sign_in_alerts ? t.alertsOn : t.alertsOff,
  )
  return (
    <div className={styles.alerts}>
      <Checkbox
        label={t.alerts}
        hint={t.alertsHelp}
        checked={account.sign_in_alerts}
        disabled={isPending}
        onChange={({ target }) => mutate({ sign_in_alerts: target.checked })}
      />
    </div>
  )
}

/** Button that ends sessions one after another, until the first failure. */
function EndOthers({ ids }: { ids: string[] }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const endAll = async () => {
    try {
      for (const id of ids) await end(id)
    } finally {
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    }
  }
  return (
    <>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {t.endOthers}
      </Button>
      <ConfirmRequest
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t.endOthersTitle}
        description={t.endOthersHelp(ids.length)}
        act={t.endOthers}
        isDangerous
        request={endAll}
        onDone={() => toast(t.othersEnded)}
      />
    </>
  )
}

function Bones() {
  return (
    <Loading className={styles.sessions}>
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} className={styles.session}>
          <Skeleton width="40px" height="40px" />
          <div className={styles.about}>
            <Skeleton width="180px" height="20px" />
            <Skeleton width="240px" height="16px" />
          </div>
        </div>
      ))}
    </Loading>
  )
}

function SessionRow({ session }: { session: Session }) {
  const t = useTexts(texts)
  const { id, user_agent, ip, created_at, last_seen_at, is_current } = session
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => end(id),
    onSuccess: () => {
      queries.setQueryData(sessionsQuery.queryKey, (cached) =>
        cached?.filter((entry) => entry.id !== id),
      )
      toast(t.ended)
    },
    onError: () => toast(t.notEnded, { isBad: true }),
  })
  const device = deviceOf(user_agent)
  const Icon = device?.icon ?? Monitor
  const name = !device
    ? t.unknownDevice
    : device.system
      ? t.on(device.name, device.system)
      : t.program(device.name)
  return (
    <li className={styles.session}>
      <span className={styles.icon}>
        <Icon />
      </span>
      <div className={styles.about}>
        <h3 className={styles.device} title={user_agent ?? undefined}>
          {name}
          {is_current && <Badge tone="good">{t.thisDevice}</Badge>}
        </h3>
        <p className={styles.sessionsFacts}>
          <span>
            {t.seen} <Time time={last_seen_at} />
          </span>
          <span>
            {t.since} <Time time={created_at} />
          </span>
          {ip && <span>{ip}</span>}
        </p>
      </div>
      {!is_current && (
        <Button size="small" busy={isPending} aria-label={t.endOf(name)} onClick={() => mutate()}>
          {t.end}
        </Button>
      )}
    </li>
  )
}

function end(id: string): Promise<void> {
  return deleteOnce('SESSION_NOT_FOUND', () => plaza.sessions.revoke(id))
}

interface Device {
  name: string
  /** Operating system. Null for programs other than browsers, because their User-Agent does not contain it. */
  system: string | null
  icon: LucideIcon
}

/**
 * User-Agent patterns and names of browsers. The first match wins. A derived browser precedes its base browser, because
 * its User-Agent usually names both.
 */
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

function deviceOf(agent: string | null): Device | null {
  if (!agent) return null
  const system = firstOf(SYSTEMS, agent)
  const name = firstOf(BROWSERS, agent)
  if (name && system) {
    return { name, system, icon: /Mobile|iPad|Android/.test(agent) ? Smartphone : Monitor }
  }
  // Excludes `Mozilla`, because the User-Agent of every browser begins with it.
  const [program] = /^(?!Mozilla\b)[\w.-]{1,40}/.exec(agent) ?? []
  return program ? { name: program, system: null, icon: SquareTerminal } : null
}
