import type { Logger } from 'pino'

/**
 * Closes what runs, and ends this process, on SIGTERM or SIGINT, or with npm. To be called before anybody
 * is told that it runs: a signal that comes before ends it without order.
 */
export function closeWhenTold(running: { close(): Promise<void> }, log: Logger): void {
  let isClosing = false
  const stop = (signal: string) => {
    // npm passes a signal on to a process that had it already: the second is the same wish.
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
  // npm gives a signal to its shell alone, whose end is then all that this process sees of it.
  if (process.env['npm_lifecycle_event']) {
    const shell = process.ppid
    setInterval(() => process.ppid !== shell && stop('parent'), 250).unref()
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error: exiting')
    process.exit(1)
  })
}
