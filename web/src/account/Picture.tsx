import { useMutation } from '@tanstack/react-query'
import { ImageUp, Trash2, X } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import type { Account } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Button } from '../ui/Button.tsx'
import { FieldError } from '../ui/Field.tsx'
import { Progress } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Avatar } from '../ui/User.tsx'
import styles from './Account.module.css'
import { useUpdate } from './queries.ts'
import { texts } from './texts.ts'

export function Picture({ account }: { account: Account }) {
  const t = useTexts(texts)
  const picture = usePicture()
  const removal = useUpdate(t.pictureRemoved)
  const error = picture.error ?? removal.error
  const send = (file: File) => {
    removal.reset()
    picture.send(file)
  }
  const remove = () => {
    picture.forget()
    removal.mutate({ avatar_upload_id: null })
  }
  return (
    <section className={styles.picture} aria-label={t.picture}>
      {picture.preview ? (
        <img className={styles.preview} src={picture.preview} alt="" />
      ) : (
        <Avatar user={account} size={96} />
      )}
      <div className={styles.pictureSide}>
        <h3 className="bold">{t.picture}</h3>
        {picture.isSending ? (
          <Sending share={picture.share} onStop={picture.stop} />
        ) : (
          <div className={styles.actions}>
            <PictureButton name={t.choosePicture} onChoose={send}>
              {account.avatar_url ? t.changePicture : t.choosePicture}
            </PictureButton>
            {account.avatar_url && (
              <Button look="plain" icon={<Trash2 />} busy={removal.isPending} onClick={remove}>
                {t.removePicture}
              </Button>
            )}
          </div>
        )}
        <p className="fine">{t.pictureHelp}</p>
        <FieldError>{picture.isRefused && t.notPicture}</FieldError>
        {error && <Problem error={error} />}
      </div>
    </section>
  )
}

function Sending({ share, onStop }: { share: number; onStop: () => void }) {
  const t = useTexts(texts)
  const formats = useFormats()
  return (
    <div className={styles.sending}>
      <Progress share={share} label={t.uploading} />
      <span className="fine">{formats.percent(share)}</span>
      <Button size="small" icon={<X />} onClick={onStop}>
        {t.stop}
      </Button>
    </div>
  )
}

function usePicture() {
  const t = useTexts(texts)
  const { preview, show } = usePreview()
  const [share, setShare] = useState(0)
  const stopper = useRef<AbortController>(undefined)
  const update = useUpdate(t.pictureChanged)
  const sending = useMutation({
    mutationFn: async (file: File) => {
      const picture = await squareOf(file).catch(() => null)
      if (!picture) return { isPicture: false }
      const { signal } = (stopper.current = new AbortController())
      show(picture)
      const onProgress = ({ sent, total }: { sent: number; total: number }) =>
        setShare(sent / total)
      const sent = plaza.upload(picture, { name: file.name, onProgress, signal })
      const upload = await sent.catch((error: unknown) => {
        if (signal.aborted) return null
        throw error
      })
      if (upload) await update.mutateAsync({ avatar_upload_id: upload.id })
      return { isPicture: true }
    },
    onSettled: () => show(null),
  })
  useEffect(() => () => stopper.current?.abort(), [])
  const { error, data, isPending, mutate, reset } = sending
  return {
    send: (file: File) => {
      setShare(0)
      mutate(file)
    },
    forget: reset,
    stop: () => stopper.current?.abort(),
    isSending: isPending,
    share,
    preview,
    isRefused: data?.isPicture === false,
    error,
  }
}

function usePreview() {
  const [preview, setPreview] = useState<string | null>(null)
  useEffect(() => {
    if (!preview) return undefined
    return () => URL.revokeObjectURL(preview)
  }, [preview])
  const show = (picture: Blob | null) => setPreview(picture && URL.createObjectURL(picture))
  return { preview, show }
}

/** Width and height to which larger pictures are scaled, in pixels. */
const SIDE = 512
/** WebP quality, from 0 to 1. */
const QUALITY = 0.9

/**
 * Crops a picture to a square around its centre and scales it down. Returns GIFs and small squares unchanged.
 * Rejects when the browser cannot decode the file.
 */
async function squareOf(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file)
  try {
    const { width, height } = bitmap
    const cut = Math.min(width, height)
    if (file.type === 'image/gif' || (width === height && cut <= SIDE)) return file
    const side = Math.min(cut, SIDE)
    const canvas = new OffscreenCanvas(side, side)
    const [left, top] = [(width - cut) / 2, (height - cut) / 2]
    canvas.getContext('2d')?.drawImage(bitmap, left, top, cut, cut, 0, 0, side, side)
    return await canvas.convertToBlob({ type: 'image/webp', quality: QUALITY })
  } finally {
    bitmap.close()
  }
}

const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

interface Props {
  /** Accessible name of the file input. */
  name: string
  isBusy?: boolean
  onChoose: (file: File) => void
  /** Text of the button. */
  children: string
}

/** Button that opens a dialog to choose a picture file. */
export function PictureButton({ name, isBusy = false, onChoose, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Clears the input. Otherwise choosing the same file again would fire no change event.
    target.value = ''
    if (file) onChoose(file)
  }
  return (
    <>
      <input ref={input} type="file" accept={ACCEPTED} hidden aria-label={name} onChange={choose} />
      <Button icon={<ImageUp />} busy={isBusy} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}
