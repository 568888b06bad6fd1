import { Monitor, Smartphone, SquareTerminal } from 'lucide-react'
import type { Session } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Time } from '../ui/Time.tsx'
import { deviceOf } from './device.ts'
import styles from './Sessions.module.css'
import { texts } from './texts.ts'
import { useEndSession } from './useEndSessions.ts'

/** Table row of a session. Every session except the current one has a button that ends it. */
export function SessionRow({ session }: { session: Session }) {
  const t = useTexts(texts)
  const { id, user_agent, ip, created_at, last_seen_at, is_current } = session
  const { mutate, isPending } = useEndSession()
  const device = deviceOf(user_agent)
  const name = useDeviceName(device)
  const Icon = iconOf(device)
  return (
    <li className={styles.session}>
      <span className={styles.icon}>
        <Icon aria-hidden="true" />
      </span>
      <div className={styles.about}>
        <h3 className={styles.device} title={user_agent ?? undefined}>
          {name}
          {is_current && <Badge tone="good">{t.thisDevice}</Badge>}
        </h3>
        <p className={styles.facts}>
          <span>
            {t.seen} <Time at={last_seen_at} />
          </span>
          <span>
            {t.since} <Time at={created_at} />
          </span>
          {ip && <span>{ip}</span>}
        </p>
      </div>
      {!is_current && (
        <Button size="small" busy={isPending} aria-label={t.endOf(name)} onClick={() => mutate(id)}>
          {t.end}
        </Button>
      )}
    </li>
  )
}

function useDeviceName(device: ReturnType<typeof deviceOf>): string {
  const t = useTexts(texts)
  if (!device) return t.unknownDevice
  return device.system ? t.on(device.name, device.system) : t.program(device.name)
}

function iconOf(device: ReturnType<typeof deviceOf>) {
  if (device && !device.system) return SquareTerminal
  return device?.isHandheld ? Smartphone : Monitor
}
