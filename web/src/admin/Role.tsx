import { useState } from 'react'
import type { AdminUserDetail } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Panel } from '../ui/Panel.tsx'
import styles from './admin.module.css'
import { Change } from './Change.tsx'
import { texts } from './texts.ts'

interface Props {
  user: AdminUserDetail
  isOwn: boolean
}

/** Button that makes a user an administrator, or an administrator a user. */
export function Role({ user: { id, handle, role }, isOwn }: Props) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  const isAdmin = role === 'admin'
  const close = () => setIsAsking(false)
  return (
    <Panel title={t.role}>
      <p className={styles.muted} id="role-why">
        {isOwn ? t.ownRole : t.roleHelp}
      </p>
      <div className={styles.buttons}>
        <Button
          aria-disabled={isOwn || undefined}
          aria-describedby="role-why"
          onClick={() => !isOwn && setIsAsking(true)}
        >
          {isAdmin ? t.demote : t.promote}
        </Button>
      </div>
      {isAsking && (
        <Change
          id={id}
          change={{ role: isAdmin ? 'user' : 'admin' }}
          title={isAdmin ? t.demoteAsk(handle) : t.promoteAsk(handle)}
          description={isAdmin ? t.demoteHelp : t.promoteHelp}
          act={isAdmin ? t.demote : t.promote}
          told={t.roleChanged}
          isDangerous={isAdmin}
          onClose={close}
        />
      )}
    </Panel>
  )
}
