import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account, Passkey } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { viewerQuery } from '../session/viewer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Code } from '../ui/Panel.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
import styles from './Account.module.css'
import { AddPasskey, PasswordDialog, RenamePasskey, TotpSetup } from './passwordDialogs.tsx'
import { passkeysQuery } from './queries.ts'
import { SaveFirst } from './SaveFirst.tsx'
import { texts } from './securityAndDataTexts.ts'
import { Setting } from './settings.tsx'

type Asked =
  | { act: 'totp' | 'totpOff' | 'codes' | 'add' }
  | { act: 'rename' | 'remove'; passkey: Passkey }

export function SecurityPart({ account }: { account: Account }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const [codes, setCodes] = useState<string[] | null>(null)
  const { is_enabled, methods, recovery_codes_left: left } = account.second_factor
  const hasTotp = methods.includes('totp')
  const close = () => setAsked(undefined)
  const done = (said: string, issued?: string[] | null) => {
    close()
    setCodes(issued ?? null)
    toast(said)
    void queries.invalidateQueries({ queryKey: viewerQuery.queryKey })
    void queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })
  }
  return (
    <div className={styles.facts}>
      <Setting title={t.secondFactor} badge={is_enabled && t.on} note={t.secondFactorHelp} />
      <Setting title={t.app} badge={hasTotp && t.on} note={t.appHelp}>
        <Button size="small" onClick={() => setAsked({ act: hasTotp ? 'totpOff' : 'totp' })}>
          {hasTotp ? t.turnOff : t.setUp}
        </Button>
      </Setting>
      <Setting title={t.passkeys} note={t.passkeysHelp}>
        {window.PublicKeyCredential ? (
          <Button size="small" onClick={() => setAsked({ act: 'add' })}>
            {t.addPasskey}
          </Button>
        ) : (
          <p className="fine">{t.noPasskeys}</p>
        )}
      </Setting>
      <Passkeys onAsk={setAsked} />
      <Setting title={t.codes} note={left > 0 || is_enabled ? t.codesLeft(left) : t.codesHelp}>
        <Button size="small" onClick={() => setAsked({ act: 'codes' })}>
          {t.newCodes}
        </Button>
      </Setting>
      {asked && <Asking asked={asked} onDone={done} onClose={close} />}
      {codes && (
        <SaveFirst
          title={t.saveCodes}
          description={t.saveCodesHelp}
          words={{ saved: t.codesSaved, first: t.saveFirst, done: t.done }}
          isToRead
          onClose={() => setCodes(null)}
        >
          <Code text={codes.join('\n')} label={t.codes} />
        </SaveFirst>
      )}
    </div>
  )
}

function Passkeys({ onAsk }: { onAsk: (asked: Asked) => void }) {
  const t = useTexts(texts)
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery)
  if (!passkeys) {
    if (error) return <Problem error={error} retry={() => void refetch()} />
    return (
      <Loading>
        <Skeleton height="72px" />
      </Loading>
    )
  }
  if (passkeys.length === 0) return null
  return (
    <ul className={styles.sessions}>
      {passkeys.map((passkey) => (
        <li key={passkey.id} className={styles.session}>
          <div className={styles.about}>
            <h4 className={styles.device}>
              {passkey.name} {passkey.is_synced && <Badge>{t.synced}</Badge>}
            </h4>
            <p className={styles.sessionsFacts}>
              <span>
                {t.added} <Time time={passkey.created_at} />
              </span>
              <span>
                {passkey.last_used_at ? (
                  <>
                    {t.used} <Time time={passkey.last_used_at} />
                  </>
                ) : (
                  t.neverUsed
                )}
              </span>
            </p>
          </div>
          {(['rename', 'remove'] as const).map((act) => (
            <Button
              key={act}
              size="small"
              aria-label={act === 'rename' ? t.renameOf(passkey.name) : t.removeOf(passkey.name)}
              onClick={() => onAsk({ act, passkey })}
            >
              {t[act]}
            </Button>
          ))}
        </li>
      ))}
    </ul>
  )
}

interface AskingProps {
  asked: Asked
  onDone: (said: string, issued?: string[] | null) => void
  onClose: () => void
}

function Asking({ asked, onDone, onClose }: AskingProps) {
  const t = useTexts(texts)
  if (asked.act === 'totp') {
    return <TotpSetup onDone={(issued) => onDone(t.appOn, issued)} onClose={onClose} />
  }
  if (asked.act === 'add') {
    return <AddPasskey onDone={(issued) => onDone(t.passkeyAdded, issued)} onClose={onClose} />
  }
  if (asked.act === 'rename') {
    return (
      <RenamePasskey
        passkey={asked.passkey}
        onDone={() => onDone(t.passkeyRenamed)}
        onClose={onClose}
      />
    )
  }
  if (asked.act === 'remove') {
    const { id, name } = asked.passkey
    return (
      <PasswordDialog
        title={t.removeTitle(name)}
        description={t.removeHelp}
        act={t.remove}
        isDangerous
        run={(current_password) => plaza.secondFactor.removePasskey(id, { current_password })}
        onDone={() => onDone(t.passkeyRemoved)}
        onClose={onClose}
      />
    )
  }
  if (asked.act === 'totpOff') {
    return (
      <PasswordDialog
        title={t.turnOffTitle}
        description={t.turnOffHelp}
        act={t.turnOff}
        isDangerous
        run={(current_password) => plaza.secondFactor.disableTotp({ current_password })}
        onDone={() => onDone(t.appOff)}
        onClose={onClose}
      />
    )
  }
  return (
    <PasswordDialog
      title={t.newCodesTitle}
      description={t.newCodesHelp}
      act={t.newCodes}
      run={(current_password) => plaza.secondFactor.createRecoveryCodes({ current_password })}
      onDone={({ recovery_codes }) => onDone(t.codesMade, recovery_codes)}
      onClose={onClose}
    />
  )
}
