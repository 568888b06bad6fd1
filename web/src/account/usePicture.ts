import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { squareOf } from './square.ts'
import { texts } from './texts.ts'
import { useUpdate } from './useUpdate.ts'

/** Sends a picture and makes it the one of the account; what is on its way is seen meanwhile. */
export function usePicture() {
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
        // What the person stopped is no failure.
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
    /** What came of the last one is no news any more. */
    forget: reset,
    stop: () => stopper.current?.abort(),
    isSending: isPending,
    share,
    preview,
    isRefused: data?.isPicture === false,
    error,
  }
}

/** An address of a picture that is on this device only, for as long as it is shown. */
function usePreview() {
  const [preview, setPreview] = useState<string | null>(null)
  useEffect(() => {
    if (!preview) return undefined
    return () => URL.revokeObjectURL(preview)
  }, [preview])
  const show = (picture: Blob | null) => setPreview(picture && URL.createObjectURL(picture))
  return { preview, show }
}
