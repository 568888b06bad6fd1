import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { App, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { TextField } from '../ui/Field.tsx'
import { Panel } from '../ui/Panel.tsx'
import { toast } from '../ui/toast.ts'
import { AppForm } from './AppForm.tsx'
import styles from './console.module.css'
import { deleteOnce } from './deletion.ts'
import { appQuery, appsQuery } from './queries.ts'
import { texts } from './texts.ts'

/** Form that edits an app, and a button that deletes it. */
export function Settings({ app }: { app: App }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: InputOf<'updateApp'>) => plaza.apps.update(app.id, fields),
    onSuccess: ({ app: changed }) => {
      queries.setQueryData(appQuery(app.id).queryKey, changed)
      void queries.invalidateQueries({ queryKey: appsQuery.queryKey })
      toast(t.saved)
    },
  })
  return (
    <div className={styles.parts}>
      <Panel title={t.about}>
        <AppForm
          app={app}
          submit={t.save}
          isBusy={isPending}
          error={error}
          onSubmit={(fields) => mutate(fields)}
        />
      </Panel>
      <Panel title={t.deleteTitle} hint={t.deleteHelp}>
        <Deletion app={app} />
      </Panel>
    </div>
  )
}

function Deletion({ app: { id: app_id, app_name } }: { app: App }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const deletion = useMutation({
    mutationFn: () => deleteOnce('APP_NOT_FOUND', () => plaza.apps.delete(app_id)),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: appsQuery.queryKey })
      await navigate({ to: '/devconsole' })
      toast(t.deleted)
      queries.removeQueries({ queryKey: appQuery(app_id).queryKey })
    },
  })
  const close = () => {
    setIsAsking(false)
    setTyped('')
    deletion.reset()
  }
  return (
    <div className={styles.buttons}>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {t.deleteApp}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={close}
        title={t.deleteAsk(app_name)}
        description={t.deleteHelp}
        act={t.deleteApp}
        isDangerous
        missing={typed.trim() !== app_name && t.deleteMissing}
        isBusy={deletion.isPending}
        error={deletion.error}
        onConfirm={() => deletion.mutate()}
      >
        <TextField
          label={t.deleteType(app_name)}
          value={typed}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
      </Confirm>
    </div>
  )
}
