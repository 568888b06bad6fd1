import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Star } from 'lucide-react'
import { useState } from 'react'
import { type InputOf, isPlazaError, type Pick } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { IconButton } from '../ui/Button.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Empty, Loaded } from '../ui/Problem.tsx'
import { Table, TableSkeleton } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import styles from './admin.module.css'
import { AdminForm, adminPage, Ask, bindTo, LineField, MomentField, useAct } from './adminParts.tsx'
import { texts } from './siteTexts.ts'

const picksQuery = queryOptions({
  queryKey: ['admin', 'picks'],
  queryFn: async ({ signal }) => (await plaza.site.listPicks({}, { signal })).picks,
})

export const Picks = adminPage('picks', Shown)

function Shown() {
  const t = useTexts(texts)
  return (
    <div className={styles.panels}>
      <NewPick />
      <Loaded query={useQuery(picksQuery)} skeleton={<TableSkeleton />}>
        {(picks) =>
          picks.length === 0 ? (
            <Empty icon={<Star />} title={t.noPicks}>
              {t.noPicksHelp}
            </Empty>
          ) : (
            <Table label={t.picks} heads={[t.content, t.note, t.until]} actions={t.actions}>
              {picks.map((pick, index) => (
                <Row key={pick.content.id} pick={pick} index={index} count={picks.length} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </div>
  )
}

/** Returns the content id from a link to a content item. Returns any other text trimmed, because it may be an id. */
function contentIdOf(text: string): string {
  return /\/contents\/([^/?#\s]+)/.exec(text)?.[1] ?? text.trim()
}

const EMPTY = { link: '', note: '', until: null as string | null }

function NewPick() {
  const t = useTexts(texts)
  const [draft, setDraft] = useState(EMPTY)
  const { mutate, isPending, error } = useAct(
    (input: InputOf<'updatePick'>) => plaza.site.updatePick(contentIdOf(draft.link), input),
    t.pickAdded,
    () => setDraft(EMPTY),
  )
  const isMissing = isPlazaError(error, 'CONTENT_NOT_FOUND') || error instanceof TypeError
  const bind = bindTo(draft, setDraft, error)
  return (
    <Panel title={t.newPick}>
      <AdminForm
        error={isMissing ? null : error}
        fields={['note', 'until', 'position']}
        submit={t.addPick}
        isBusy={isPending}
        onSubmit={() => mutate({ note: draft.note.trim() || null, until: draft.until })}
      >
        <LineField
          {...bind('link')}
          label={t.contentLink}
          hint={t.contentLinkHint}
          error={isMissing ? t.contentMissing : undefined}
          placeholder={`${location.origin}/contents/…`}
          spellCheck="false"
        />
        <div className={styles.pair}>
          <LineField {...bind('note')} label={t.noteOptional} hint={t.noteHint} maxLength={200} />
          <MomentField {...bind('until')} label={t.untilOptional} hint={t.untilHint} />
        </div>
      </AdminForm>
    </Panel>
  )
}

interface RowProps {
  pick: Pick
  index: number
  count: number
}

function Row({ pick: { content, note, until }, index, count }: RowProps) {
  const t = useTexts(texts)
  const { id, title } = content
  const { mutate } = useAct(
    (position: number) => plaza.site.updatePick(id, { note, until, position }),
    t.pickMoved,
  )
  return (
    <tr>
      <td className={styles.actor}>
        <Link to="/contents/$id" params={{ id }}>
          {title}
        </Link>
      </td>
      <td className={styles.reason}>{note}</td>
      <td className={styles.nowrap}>{until ? <Time time={until} /> : t.noEnd}</td>
      <td>
        <div className={styles.buttons}>
          <IconButton
            icon={<ArrowUp />}
            label={t.movePickUp(title)}
            disabled={index === 0}
            onClick={() => mutate(index - 1)}
          />
          <IconButton
            icon={<ArrowDown />}
            label={t.movePickDown(title)}
            disabled={index === count - 1}
            onClick={() => mutate(index + 1)}
          />
          <Ask
            label={t.removePick}
            title={t.removePickAsk}
            description={t.removePickHelp}
            done={t.pickRemoved}
            isDangerous
            act={() => plaza.site.deletePick(id)}
          />
        </div>
      </td>
    </tr>
  )
}
