// Health check of the container: exits with 0 if the server responds and can reach its database.
const { PORT = '3000' } = process.env
const response = await fetch(`http://127.0.0.1:${PORT}/api/health`, {
  signal: AbortSignal.timeout(4000),
}).catch(() => undefined)
process.exitCode = response?.ok ? 0 : 1
