import { useNavigate } from '@tanstack/react-router'
import {
  ArrowDown,
  ArrowUp,
  Film,
  Image,
  Music,
  Package,
  RotateCcw,
  Trash2,
  Upload,
  X,
} from 'lucide-react'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { isPlazaError } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { asMember } from '../session/viewer.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { FieldError, fieldErrorsOf } from '../ui/Field.tsx'
import { Progress } from '../ui/Loading.tsx'
import { Panel } from '../ui/Panel.tsx'
import { useProblemText } from '../ui/Problem.tsx'
import publishStyles from './Publish.module.css'
import { acceptOf, type ContentType } from './content.ts'
import styles from './fields.module.css'
import { fileTexts } from './fileTexts.ts'
import { texts } from './texts.ts'
import { type Entry, isUnderWay } from './uploads.ts'
import type { usePublishing } from './usePublishing.ts'
import type { Uploads } from './useUploads.ts'

interface Props {
  uploads: Uploads
  /** Reasons why the content type does not allow some files, by file index. */
  misfits?: ReadonlyMap<number, string>
}

export function FileList({ uploads: { queue, entries, refused }, misfits }: Props) {
  const t = useTexts(fileTexts)
  const done = entries.filter(({ state }) => state === 'done').length
  return (
    <>
      {refused.length > 0 && (
        <div className={styles.refused} role="alert">
          {refused.map(({ key, name, why }) => (
            <p key={key}>
              <strong>{name}</strong> — {t.refusal[why]}
            </p>
          ))}
        </div>
      )}
      <p className="unseen" role="status">
        {entries.length > 0 && t.doneOf(done, entries.length)}
      </p>
      {entries.length > 0 && (
        <ol className={styles.list}>
          {entries.map((entry, index) => (
            <FileRow
              key={entry.key}
              entry={entry}
              queue={queue}
              misfit={misfits?.get(index)}
              isFirst={index === 0}
              isLast={index === entries.length - 1}
            />
          ))}
        </ol>
      )}
    </>
  )
}

interface RowProps extends Pick<Uploads, 'queue'> {
  entry: Entry
  misfit: string | undefined
  isFirst: boolean
  isLast: boolean
}

function FileRow({ entry, queue, misfit, isFirst, isLast }: RowProps) {
  const t = useTexts(fileTexts)
  const { name, state, sent, total } = entry
  return (
    <li className={styles.row}>
      <FilePicture entry={entry} className={styles.picture} />
      <div className={styles.middle}>
        <p className={styles.name}>{name}</p>
        <State entry={entry} />
        {state === 'sending' && (
          <Progress share={sent > 0 ? sent / total : undefined} label={t.sendingOf(name)} />
        )}
        <FieldError>{misfit}</FieldError>
      </div>
      <Buttons {...{ entry, queue, isFirst, isLast }} />
    </li>
  )
}

function Buttons({ entry, queue, isFirst, isLast }: Omit<RowProps, 'misfit'>) {
  const t = useTexts(fileTexts)
  const { key, file, name, state } = entry
  const isStopped = file && (state === 'failed' || state === 'stopped')
  return (
    <div className={styles.buttons}>
      {!(isFirst && isLast) && (
        <>
          <IconButton
            icon={<ArrowUp />}
            label={t.earlier(name)}
            disabled={isFirst}
            onClick={() => queue.move(key, -1)}
          />
          <IconButton
            icon={<ArrowDown />}
            label={t.later(name)}
            disabled={isLast}
            onClick={() => queue.move(key, 1)}
          />
        </>
      )}
      {isStopped && (
        <IconButton
          icon={<RotateCcw />}
          label={t.retry(name)}
          onClick={() => asMember(() => queue.retry(key))}
        />
      )}
      {isUnderWay([entry]) ? (
        <IconButton icon={<X />} label={t.stop(name)} onClick={() => queue.stop(key)} />
      ) : (
        <IconButton icon={<Trash2 />} label={t.remove(name)} onClick={() => queue.remove(key)} />
      )}
    </div>
  )
}

function State({ entry }: { entry: Entry }) {
  const t = useTexts(fileTexts)
  const formats = useFormats()
  const { state, size, error } = entry
  const problem = useProblemText(error)
  // The client uploads only accepted types, so a rejected type means that the file is damaged.
  const [rule] = Object.values(fieldErrorsOf(error))
  const said = isPlazaError(error, 'UNSUPPORTED_MEDIA_TYPE') ? t.unreadable : (rule ?? problem)
  if (state === 'failed' || state === 'gone' || state === 'unfinished') {
    return <FieldError>{state === 'failed' ? said : t[state]}</FieldError>
  }
  if (state === 'sending') return <p className={styles.state}>{sendingText(entry, t, formats)}</p>
  return (
    <p className={styles.state}>
      {formats.bytes(size)} · {t[state]}
    </p>
  )
}

function sendingText(
  { sent, total, speed }: Entry,
  t: typeof fileTexts.ko,
  formats: ReturnType<typeof useFormats>,
): string {
  if (sent === 0) return t.starting(formats.bytes(total))
  if (sent >= total) return t.checking
  const share = formats.percent(sent / total)
  const far = t.sending(share, formats.bytes(sent), formats.bytes(total))
  if (!speed) return far
  const left = formats.duration(((total - sent) / speed) * 1000)
  return `${far} · ${t.speed(formats.bytes(speed))} · ${t.left(left)}`
}

interface FilesProps {
  publishing: ReturnType<typeof usePublishing>
  type: ContentType
  error: string | undefined
}

export function Files({ publishing, type, error }: FilesProps) {
  const t = useTexts(texts)
  const words = useTexts(fileTexts)
  const navigate = useNavigate()
  const { uploads, misfits, isWriting } = publishing
  const isMixed = type === 'article' && !isWriting
  return (
    <Panel
      title={t.files[type]}
      beside={
        isWriting && (
          <Button
            size="small"
            look="plain"
            onClick={() => void navigate({ to: '/publish', search: {} })}
          >
            {t.onlyFiles}
          </Button>
        )
      }
    >
      {isMixed && <p className={publishStyles.note}>{t.mixed}</p>}
      <FileList uploads={uploads} misfits={misfits} />
      <Dropzone
        isSmall
        accept={acceptOf(type === 'game' ? ['picture', 'bundle'] : ['picture', 'video', 'sound'])}
        label={words.addMore}
        hint={t.filesHint[type]}
        onFiles={publishing.addFiles}
      />
      <FieldError>{error}</FieldError>
    </Panel>
  )
}

const ICONS = { video: Film, sound: Music, bundle: Package, picture: Image }

interface FilePictureProps {
  entry: Entry
  className?: string | undefined
}

export function FilePicture({ entry: { kind, preview }, className }: FilePictureProps) {
  const [isBroken, setIsBroken] = useState(false)
  const shown = { className, onError: () => setIsBroken(true) }
  if (preview && kind === 'picture' && !isBroken) return <img {...shown} src={preview} alt="" />
  if (preview && !isBroken) {
    return (
      <video
        {...shown}
        src={preview}
        muted
        playsInline
        preload="metadata"
        tabIndex={-1}
        aria-hidden="true"
      />
    )
  }
  const Icon = ICONS[kind]
  return (
    <span className={className}>
      <Icon />
    </span>
  )
}

interface DropzoneProps {
  label: string
  hint: ReactNode
  accept: string
  multiple?: boolean
  isSmall?: boolean
  onFiles: (files: File[]) => void
}

export function Dropzone({
  label,
  hint,
  accept,
  multiple = true,
  isSmall,
  onFiles,
}: DropzoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const hintId = useId()
  useNoStrayDrops()
  const [isOver, drop] = useDrop((files) => onFiles(multiple ? files : files.slice(0, 1)))
  return (
    <div className={`${styles.zone} ${isSmall ? styles.small : ''}`} data-over={isOver} {...drop}>
      {!isSmall && (
        <span className="disc">
          <Upload />
        </span>
      )}
      <p id={hintId} className={styles.hint}>
        {hint}
      </p>
      <Button
        look={isSmall ? 'quiet' : 'primary'}
        size={isSmall ? 'small' : 'medium'}
        aria-describedby={hintId}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // Clears the input. Otherwise choosing the same file again would fire no change event.
          target.value = ''
        }}
      />
    </div>
  )
}

/** Rejects files that are dropped outside the zone. The browser would otherwise leave the page and open the file. */
function useNoStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    addEventListener('dragover', refuse)
    addEventListener('drop', refuse)
    return () => {
      removeEventListener('dragover', refuse)
      removeEventListener('drop', refuse)
    }
  }, [])
}

function useDrop(onFiles: (files: File[]) => void) {
  const [depth, setDepth] = useState(0)
  const isFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  const handlers = {
    // Counts nested elements below the pointer, because the event for entering an inner element precedes the event for
    // leaving the outer one.
    onDragEnter: (event: DragEvent) => isFiles(event) && setDepth((now) => now + 1),
    onDragLeave: (event: DragEvent) => isFiles(event) && setDepth((now) => Math.max(0, now - 1)),
    onDragOver: (event: DragEvent) => isFiles(event) && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      if (!isFiles(event)) return
      event.preventDefault()
      setDepth(0)
      onFiles([...event.dataTransfer.files])
    },
  }
  return [depth > 0, handlers] as const
}
