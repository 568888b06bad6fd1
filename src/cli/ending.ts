import type { Logger } from 'pino'

/**
 * Closes `running` and exits on SIGTERM, on SIGINT, or, under npm, when npm's shell ends. Exits with 1 after an
 * uncaught error. Call it before announcing that the process is ready, because an earlier signal kills the process.
 */
export function closeOnSignal(running: { close(): Promise<void> }, log: Logger): void {
  let isClosing = false
  const stop = (signal: string) => {
    // npm may forward a signal that this process has already received.
    if (isClosing) return
    isClosing = true
    log.info({ signal }, 'shutting down: waiting for requests in flight')
    running.close().then(
      () => {
        log.info('stopped')
        process.exit(0)
      },
      (error: unknown) => {
        log.error({ err: error, signal }, 'shutdown failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // npm sends some signals only to its shell. This process can only detect that the shell has ended.
  if (process.env['npm_lifecycle_event']) {
    const shell = process.ppid
    setInterval(() => process.ppid !== shell && stop('parent'), 250).unref()
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error: exiting')
    process.exit(1)
  })
}
