/** Settles as `promise` does, or rejects with the signal's reason on abort. The work behind `promise` continues. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let end = () => {}
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason as Error)
    signal.addEventListener('abort', end)
  })
  try {
    return await Promise.race([promise, ended])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** Waits for `ms` milliseconds. Rejects with the signal's reason on abort. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await abortable(over, signal)
  } finally {
    clearTimeout(timer)
  }
}
