/** Width and height of a cropped avatar: the largest size in which the client shows avatars. */
const SIDE = 512
const QUALITY = 0.9

/**
 * Crops a picture to a square around its centre and scales it down. Returns GIFs and small squares unchanged.
 * Rejects when the browser cannot decode the file.
 */
export async function squareOf(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file)
  try {
    const { width, height } = bitmap
    const cut = Math.min(width, height)
    if (file.type === 'image/gif' || (width === height && cut <= SIDE)) return file
    const side = Math.min(cut, SIDE)
    const canvas = document.createElement('canvas')
    canvas.width = side
    canvas.height = side
    const [left, top] = [(width - cut) / 2, (height - cut) / 2]
    canvas.getContext('2d')?.drawImage(bitmap, left, top, cut, cut, 0, 0, side, side)
    return await encoded(canvas)
  } finally {
    bitmap.close()
  }
}

function encoded(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) =>
      blob ? resolve(blob) : reject(new Error('The picture could not be encoded.'))
    canvas.toBlob(take, 'image/webp', QUALITY)
  })
}
