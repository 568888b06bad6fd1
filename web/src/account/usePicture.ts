import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { squareOf } from './square.ts'
import { texts } from './texts.ts'
import { useUpdate } from './useUpdate.ts'

/** Uploads a picture and sets it as the avatar. Returns a local preview for the time until then. */
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
        // Cancelling the upload is not an error.
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
    /** Clears the result of the last upload. */
    forget: reset,
    stop: () => stopper.current?.abort(),
    isSending: isPending,
    share,
    preview,
    isRefused: data?.isPicture === false,
    error,
  }
}

/** Creates an object URL for a local picture and revokes it when the picture changes. */
function usePreview() {
  const [preview, setPreview] = useState<string | null>(null)
  useEffect(() => {
    if (!preview) return undefined
    return () => URL.revokeObjectURL(preview)
  }, [preview])
  const show = (picture: Blob | null) => setPreview(picture && URL.createObjectURL(picture))
  return { preview, show }
}
