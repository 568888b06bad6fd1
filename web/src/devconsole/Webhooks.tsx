import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import type { App, DataOf, InputOf, Webhook } from '#sdk'
import { useLanguage } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { IconButton } from '../ui/Button.tsx'
import { Checkbox, FieldError, fieldErrorsOf, TextField } from '../ui/Field.tsx'
import { Form, type FormProps } from '../ui/Form.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Menu } from '../ui/Dialog.tsx'
import { Panel, Shortened } from '../ui/Panel.tsx'
import { Problem, useProblemText } from '../ui/Problem.tsx'
import { Table } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './console.module.css'
import { Bar, Listing } from './consoleParts.tsx'
import { eventTypesQuery, useChange, webhooksQuery } from './queries.ts'
import { DeleteWebhook, DisableWebhook, MadeSecrets, State } from './WebhookDetails.tsx'
import own from './webhooks.module.css'
import { texts } from './webhookTexts.ts'

export function Webhooks({ app }: { app: App }) {
  const t = useTexts(texts)
  const [made, setMade] = useState<DataOf<'createWebhook'>>()
  return (
    <>
      <Listing
        query={useQuery(webhooksQuery(app.id))}
        create={t.newWebhook}
        empty={{ icon: <WebhookIcon />, title: t.emptyTitle, level: 3, children: t.emptyHelp }}
        form={(close) => (
          <NewWebhook
            app_id={app.id}
            onCancel={close}
            onMade={(answer) => {
              setMade(answer)
              close()
            }}
          />
        )}
        frame={(button, list) => (
          <>
            <Bar title={t.webhooks} lead={t.lead}>
              {button}
            </Bar>
            {list}
          </>
        )}
      >
        {(webhooks) => <WebhookTable webhooks={webhooks} />}
      </Listing>
      {made && <MadeSecrets title={t.secretsMade} made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

interface NewProps {
  app_id: string
  onMade: (made: DataOf<'createWebhook'>) => void
  onCancel: () => void
}

function NewWebhook({ app_id, onMade, onCancel }: NewProps) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: InputOf<'createWebhook'>) => plaza.webhooks.create(app_id, fields),
    onSuccess: (made) => {
      onMade(made)
      void queries.invalidateQueries({ queryKey: webhooksQuery(app_id).queryKey })
    },
  })
  return (
    <Panel title={t.newWebhook}>
      <WebhookForm
        submit={t.createWebhook}
        isBusy={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
        onCancel={onCancel}
      />
    </Panel>
  )
}

const PAGE = '/devconsole/apps/$app_id/webhooks/$webhook_id'

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const t = useTexts(texts)
  return (
    <Table
      label={t.webhooks}
      heads={[t.endpoint, t.state, t.events, t.added]}
      actions={t.rowActions}
    >
      {webhooks.map((webhook) => (
        <Row key={webhook.id} webhook={webhook} />
      ))}
    </Table>
  )
}

function Row({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts)
  const { id: webhook_id, app_id, endpoint_url, events, created_at } = webhook
  const { host } = new URL(endpoint_url)
  return (
    <tr>
      <td>
        <Link
          to={PAGE}
          params={{ app_id, webhook_id }}
          className={`${styles.name} ${own.endpoint}`}
          aria-label={endpoint_url}
        >
          {host}
          <span className={own.path}>
            <Shortened text={pathOf(endpoint_url)} end={16} />
          </span>
        </Link>
      </td>
      <td>
        <State webhook={webhook} />
      </td>
      <td title={events.join(', ')} className={styles.nowrap}>
        {t.eventCount(events.length)}
      </td>
      <td className={styles.nowrap}>
        <Time time={created_at} />
      </td>
      <td className={styles.end}>
        <Actions webhook={webhook} />
      </td>
    </tr>
  )
}

function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'disable' | 'delete'>()
  const { mutate, error } = useChange(webhook)
  const problem = useProblemText(error)
  const { id: webhook_id, app_id, endpoint_url, is_active } = webhook
  const open = () => void navigate({ to: PAGE, params: { app_id, webhook_id } })
  const close = () => setAsked(undefined)
  return (
    <>
      <Menu
        trigger={<IconButton icon={<Ellipsis />} label={t.actions(endpoint_url)} />}
        groups={[
          [
            { label: t.open, onClick: open },
            is_active
              ? { label: t.disable, onClick: () => setAsked('disable') }
              : { label: t.enable, onClick: () => mutate({ is_active: true }) },
          ],
          [{ label: t.delete, onClick: () => setAsked('delete'), isDangerous: true }],
        ]}
      />
      <FieldError>{error && problem}</FieldError>
      {asked === 'disable' && <DisableWebhook webhook={webhook} onClose={close} />}
      {asked === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </>
  )
}

type Fields = InputOf<'createWebhook'>

interface Props extends Pick<FormProps, 'submit' | 'isBusy' | 'error' | 'onCancel'> {
  webhook?: Webhook
  onSubmit: (fields: Fields) => void
}

export function WebhookForm({ webhook, onSubmit, ...form }: Props) {
  const t = useTexts(texts)
  const [tries, setTries] = useState(0)
  const [endpoint_url, setEndpoint] = useState(webhook?.endpoint_url ?? '')
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? [])
  const isWrong = !isEndpoint(endpoint_url.trim())
  const isNone = events.length === 0
  const send = () => {
    // Validates all fields before sending, so that all errors appear together.
    if (isWrong || isNone) return setTries(tries + 1)
    onSubmit({ endpoint_url: endpoint_url.trim(), events: events as Fields['events'] })
  }
  const said = fieldErrorsOf(form.error)
  return (
    <Form
      {...form}
      fields={['endpoint_url', 'events']}
      tries={tries}
      onSubmit={send}
      takesFocus
      className={styles.form}
    >
      <TextField
        label={t.endpoint}
        hint={t.endpointHint}
        error={tries > 0 && isWrong ? t.endpointWrong : said['endpoint_url']}
        type="url"
        value={endpoint_url}
        maxLength={2000}
        placeholder="https://example.com/webhooks/plaza"
        autoComplete="off"
        spellCheck="false"
        onChange={({ target }) => setEndpoint(target.value)}
      />
      <EventChoice
        chosen={events}
        onChange={setEvents}
        error={tries > 0 && isNone ? t.eventsNone : said['events']}
      />
    </Form>
  )
}

interface EventChoiceProps {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  error?: string | undefined
}

function EventChoice({ chosen, onChange, error }: EventChoiceProps) {
  const t = useTexts(texts)
  const query = useQuery(eventTypesQuery(useLanguage()))
  return (
    <fieldset className={styles.set}>
      <legend className="bold">{t.events}</legend>
      <p className="fine">{t.eventsHint}</p>
      <div className={styles.options}>
        {query.isPending &&
          Array.from({ length: 7 }, (_, index) => <Skeleton key={index} height="60px" />)}
        {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
        {query.data?.map(({ name, description, sample }) => (
          <div key={name} className={own.event}>
            <Checkbox
              label={<code>{name}</code>}
              hint={description}
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                onChange(
                  target.checked ? [...chosen, name] : chosen.filter((event) => event !== name),
                )
              }
            />
            <details>
              <summary aria-label={t.sampleOf(name)}>{t.sample}</summary>
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling content must be reachable by keyboard */}
              <pre tabIndex={0} aria-label={t.sampleOf(name)}>
                {JSON.stringify(sample, null, 2)}
              </pre>
            </details>
          </div>
        ))}
      </div>
      <FieldError>{error}</FieldError>
    </fieldset>
  )
}

export function pathOf(endpoint_url: string): string {
  const { pathname, search } = new URL(endpoint_url)
  return pathname + search
}

/** Returns false for URLs that the server always rejects. The server validates further rules. */
function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && !hash
}
