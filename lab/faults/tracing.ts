import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export async function trace(
  pids: readonly number[],
  options: readonly string[],
  output: string,
): Promise<{ stop(): Promise<string> }> {
  const named = pids.flatMap((pid) => ['-p', String(pid)])
  const child = spawn('strace', ['-f', '-o', output, ...options, ...named], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const ended = once(child, 'exit')
  for (let i = 0; !pids.every((pid) => said.includes(`${pid} attached`)); i++) {
    if (child.exitCode !== null || i > 500) throw new Error(`strace: ${said}`)
    await sleep(10)
  }
  return {
    async stop() {
      child.kill('SIGINT')
      await ended
      return existsSync(output) ? readFileSync(output, 'latin1') : ''
    },
  }
}
