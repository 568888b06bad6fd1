import { useState } from 'react'
import type { AdminUserDetail, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Checkbox } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import { AdminForm, useAct } from './acting.tsx'
import styles from './admin.module.css'
import { texts } from './texts.ts'

type Permissions = InputOf<'updatePermissions'>['permissions']
const ALL: Permissions = ['moderate', 'members', 'site']

export function Permissions({ user }: { user: AdminUserDetail }) {
  const t = useTexts(texts)
  const [draft, setDraft] = useState<Permissions>()
  const chosen = draft ?? ALL.filter((permission) => user.permissions.includes(permission))
  const { mutate, isPending, error } = useAct(
    (permissions: Permissions) => plaza.users.updatePermissions(user.id, { permissions }),
    t.permissionsChanged,
    () => setDraft(undefined),
  )
  if (user.role === 'admin') {
    return (
      <Panel title={t.permissions}>
        <p className={styles.muted}>{t.adminPermissions}</p>
      </Panel>
    )
  }
  return (
    <Panel title={t.permissions} hint={t.permissionsHelp}>
      <AdminForm
        error={error}
        submit={t.savePermissions}
        isBusy={isPending}
        onSubmit={() => mutate(chosen)}
      >
        {ALL.map((permission) => (
          <Checkbox
            key={permission}
            label={t.permissionNames[permission]}
            hint={t.permissionHints[permission]}
            checked={chosen.includes(permission)}
            onChange={({ target }) =>
              setDraft(
                ALL.filter((name) =>
                  name === permission ? target.checked : chosen.includes(name),
                ),
              )
            }
          />
        ))}
      </AdminForm>
    </Panel>
  )
}
