/** Resolves to true when a video is taller than wide, and to undefined when the browser cannot read it. */
export async function isUpright(url: string): Promise<boolean | undefined> {
  const video = document.createElement('video')
  video.preload = 'metadata'
  video.muted = true
  try {
    return await new Promise((resolve) => {
      video.addEventListener('loadedmetadata', () =>
        resolve(video.videoWidth > 0 ? video.videoHeight > video.videoWidth : undefined),
      )
      video.addEventListener('error', () => resolve(undefined))
      video.src = url
    })
  } finally {
    video.removeAttribute('src')
    video.load()
  }
}
