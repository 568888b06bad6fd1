import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import styles from './fields.module.css'

interface Props {
  label: string
  hint: ReactNode
  accept: string
  multiple?: boolean
  isSmall?: boolean
  onFiles: (files: File[]) => void
}

export function Dropzone({ label, hint, accept, multiple = true, isSmall, onFiles }: Props) {
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
