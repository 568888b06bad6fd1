import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, type Deletion, type Export, isPlazaError } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { deleteOnce, plaza } from '../session/plaza.ts'
import { viewerQuery } from '../session/viewer.ts'
import { Badge } from '../ui/Badge.tsx'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Field.tsx'
import { Loading, Progress, Skeleton } from '../ui/Loading.tsx'
import { Loaded, Problem } from '../ui/Problem.tsx'
import { toast } from '../ui/toast.ts'
import styles from './Account.module.css'
import { PasswordDialog } from './passwordDialogs.tsx'
import { exportsQuery, isUnfinished } from './queries.ts'
import { texts } from './securityAndDataTexts.ts'
import { type Choices, ErasureChoices } from './settings.tsx'

const DAY_MS = 24 * 60 * 60 * 1000

export function DataPart({ account }: { account: Account }) {
  const t = useTexts(texts)
  const bones = (
    <Loading>
      <Skeleton height="72px" />
    </Loading>
  )
  return (
    <>
      <section className={styles.part}>
        <h3>{t.exports}</h3>
        <p className="fine">{t.exportsHelp}</p>
        <Loaded query={useQuery(exportsQuery)} skeleton={bones}>
          {(exports) => (
            <>
              <CreateExport exports={exports} />
              {exports.length > 0 && (
                <ul className={styles.sessions} aria-label={t.list}>
                  {exports.map((entry) => (
                    <ExportRow key={entry.id} target={entry} />
                  ))}
                </ul>
              )}
            </>
          )}
        </Loaded>
      </section>
      <DeletionPart account={account} />
    </>
  )
}

function CreateExport({ exports }: { exports: readonly Export[] }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const [with_files, setWithFiles] = useState(false)
  const obstacle = useObstacle(exports)
  return (
    <div className={styles.actions}>
      <Button
        aria-disabled={obstacle !== undefined}
        aria-describedby="export-why"
        onClick={() => obstacle ?? setIsAsking(true)}
      >
        {t.create}
      </Button>
      <p id="export-why" className="fine" role="status">
        {obstacle}
      </p>
      {isAsking && (
        <PasswordDialog
          title={t.createTitle}
          description={t.createHelp}
          act={t.create}
          run={async (current_password) => {
            try {
              await plaza.me.createExport({ current_password, with_files })
              return true
            } catch (cause) {
              // Another page has started an export since the list was loaded. The refetched list shows this export.
              if (isPlazaError(cause, 'LIMIT_REACHED')) return false
              throw cause
            }
          }}
          onDone={(isBegun) => {
            toast(isBegun ? t.begun : t.refused, { isBad: !isBegun })
            void queries.invalidateQueries({ queryKey: exportsQuery.queryKey })
            setIsAsking(false)
          }}
          onClose={() => setIsAsking(false)}
        >
          <Checkbox
            label={t.withFiles}
            hint={t.withFilesHelp}
            checked={with_files}
            onChange={({ target }) => setWithFiles(target.checked)}
          />
        </PasswordDialog>
      )}
    </div>
  )
}

/** Returns a message that explains why the viewer cannot start an export now. Undefined when an export is possible. */
function useObstacle(exports: readonly Export[]): string | undefined {
  const t = useTexts(texts)
  const formats = useFormats()
  if (exports.some(isUnfinished)) return t.unfinished
  const last = exports.find(({ status }) => status !== 'failed')
  const next = last && Date.parse(last.created_at) + DAY_MS
  if (next === undefined || next <= Date.now()) return undefined
  return t.daily(formats.dateTime(new Date(next).toISOString()))
}

function ExportRow({ target }: { target: Export }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const queries = useQueryClient()
  const isMaking = isUnfinished(target)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteOnce('EXPORT_NOT_FOUND', () => plaza.me.deleteExport(target.id)),
    onSuccess: () => {
      toast(isMaking ? t.cancelled : t.removed)
      return queries.invalidateQueries({ queryKey: exportsQuery.queryKey })
    },
  })
  const { status, size_bytes, url, expires_at } = target
  const when = formats.dateTime(target.created_at)
  const tone = status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'plain'
  return (
    <li className={`${styles.session} ${styles.export}`}>
      <div className={styles.about}>
        <h4 className={styles.device}>
          {when} <Badge tone={tone}>{t.states[status as keyof typeof t.states] ?? status}</Badge>
        </h4>
        {isMaking && <Progress share={undefined} label={t.states.processing} />}
        <p className={styles.sessionsFacts}>
          <span>{target.with_files ? t.filled : t.plain}</span>
          {size_bytes !== null && <span>{formats.bytes(size_bytes)}</span>}
          {url && expires_at && <span>{t.until(formats.dateTime(expires_at))}</span>}
          {target.error && <span>{target.error}</span>}
        </p>
        {error && <Problem error={error} />}
      </div>
      <div className={styles.actions}>
        {url && (
          <a
            href={url}
            download
            aria-label={t.downloadOf(when)}
            className={`${buttons.button} ${buttons.quiet} ${buttons.small}`}
          >
            {t.download}
          </a>
        )}
        <Button
          size="small"
          busy={isPending}
          aria-label={isMaking ? t.cancelOf(when) : t.removeExportOf(when)}
          onClick={() => mutate()}
        >
          {isMaking ? t.cancel : t.removeExport}
        </Button>
      </div>
    </li>
  )
}

/** Notice of the scheduled deletion, with a button that cancels it. Every part of the account page shows it. */
export function DeletionNotice({ deletion }: { deletion: Deletion }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteOnce('DELETION_NOT_FOUND', () => plaza.me.cancelDeletion()),
    onSuccess: () => {
      toast(t.deletionCancelled)
      return queries.invalidateQueries({ queryKey: viewerQuery.queryKey })
    },
  })
  return (
    <section className={styles.leaving} aria-labelledby="leaving">
      <div>
        <h2 id="leaving">{t.due(formats.dateTime(deletion.due_at))}</h2>
        <p>
          {t.dueContents[deletion.contents as keyof typeof t.dueContents]}{' '}
          {t.dueTexts[deletion.texts as keyof typeof t.dueTexts]}
        </p>
      </div>
      <Button busy={isPending} onClick={() => mutate()}>
        {t.cancelDeletion}
      </Button>
      {error && <Problem error={error} />}
    </section>
  )
}

function DeletionPart({ account: { deletion } }: { account: Account }) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <section className={`${styles.part} ${styles.apart}`}>
      <h3>{t.deletion}</h3>
      <p className="fine">{t.deletionHelp}</p>
      <div className={styles.actions}>
        <Button look={deletion ? 'quiet' : 'danger'} onClick={() => setIsAsking(true)}>
          {deletion ? t.change : t.deletion}
        </Button>
      </div>
      {isAsking && <DeletionDialog deletion={deletion} onClose={() => setIsAsking(false)} />}
    </section>
  )
}

interface Props {
  /** Scheduled deletion to change. Null when there is none yet. */
  deletion: Deletion | null
  onClose: () => void
}

function DeletionDialog({ deletion, onClose }: Props) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [choices, setChoices] = useState<Choices>({
    contents: deletion?.contents === 'keep' ? 'keep' : 'erase',
    texts: deletion?.texts === 'keep' ? 'keep' : 'erase',
  })
  return (
    <PasswordDialog
      title={deletion ? t.changeTitle : t.deletionTitle}
      description={deletion ? t.changeHelp : t.deletionWarning}
      act={deletion ? t.change : t.deletion}
      isDangerous={!deletion}
      run={(current_password) => plaza.me.scheduleDeletion({ current_password, ...choices })}
      onDone={() => {
        toast(deletion ? t.changed : t.scheduled)
        void queries.invalidateQueries({ queryKey: viewerQuery.queryKey })
        onClose()
        scrollTo({ top: 0 })
      }}
      onClose={onClose}
    >
      <ErasureChoices choices={choices} onChange={setChoices} />
    </PasswordDialog>
  )
}
