import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Limits, runProgram } from './program.ts'
import { temporaryFolder } from '../../test/files.ts'
import { until } from '../../test/receiver.ts'

const folder = temporaryFolder('plaza-program-')
const searchPath = '/usr/local/bin:/usr/bin:/bin'
const MEBIBYTE = 1024 * 1024

function run(command: string, args: string[], limits: Partial<Limits> = {}, signal?: AbortSignal) {
  return runProgram(command, args, {
    signal: signal ?? new AbortController().signal,
    limits: { seconds: 20, ...limits },
    searchPath,
    cwd: folder,
  })
}

test('passes arguments unchanged and returns exit code and output', async () => {
  const odd = ['a b', '$(touch made)', '`id`', '"\'', '', '-n', '*', '\n']
  const { code, out } = await run('printf', ['%s|', ...odd])
  assert.deepEqual([code, out], [0, `${odd.join('|')}|`])
  assert.deepEqual(readdirSync(folder), [])
  const failed = await run('sh', ['-c', 'echo no >&2; exit 3'])
  assert.deepEqual(failed, { code: 3, stoppedBy: null, out: '', errors: 'no\n' })
  assert.equal((await run('plaza-no-such-program', [])).code, 127)
})

test('rejects without crashing the process when no file descriptor is left', async () => {
  const script = `import { runProgram } from ${JSON.stringify(join(import.meta.dirname, 'program.ts'))}
    import { closeSync, openSync } from 'node:fs'
    const held = []
    try { for (;;) held.push(openSync('/dev/null')) } catch {}
    const options = { signal: new AbortController().signal, limits: { seconds: 5 }, searchPath: '/bin' }
    let refused
    await runProgram('true', [], options).catch(({ code }) => (refused = code))
    for (const one of held) closeSync(one)
    const { code } = await runProgram('true', [], options)
    console.log(refused, code)`
  const file = join(folder, 'few.mjs')
  writeFileSync(file, script)
  const few = spawnSync('sh', ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, file])
  rmSync(file)
  assert.equal(String(few.stdout), 'EMFILE 0\n', String(few.stderr))
})

test('runs the program without the environment and standard input of the server', async () => {
  process.env['PLAZA_TEST_SECRET'] = 'secret'
  const { out } = await run('env', [])
  delete process.env['PLAZA_TEST_SECRET']
  assert.ok(!out.includes('PLAZA_TEST_SECRET'))
  const names = out
    .trim()
    .split('\n')
    .map((line) => line.split('=', 1)[0])
  assert.deepEqual(
    names.filter(
      (name) => !['PATH', 'LANG', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name as string),
    ),
    [],
  )
  assert.equal((await run('cat', [])).out, '')
})

test('stops the program when it exceeds its time, memory, file or output limit', async () => {
  const start = performance.now()
  const slow = await run('sleep', ['30'], { seconds: 0.3 })
  assert.deepEqual([slow.code, slow.stoppedBy], [null, 'time'])
  assert.ok(performance.now() - start < 5000)
  assert.equal((await run('yes', [])).stoppedBy, 'output')
  const greedy = await run('tail', ['/dev/zero'], { memoryBytes: 100 * MEBIBYTE })
  assert.notEqual(greedy.code, 0)
  assert.notEqual(greedy.stoppedBy, 'time')
  const large = join(folder, 'large')
  const written = await run('dd', ['if=/dev/zero', `of=${large}`, 'bs=65536', 'count=100'], {
    fileBytes: MEBIBYTE,
  })
  assert.notEqual(written.code, 0)
  assert.ok(statSync(large).size <= MEBIBYTE)
  assert.equal((await run('sh', ['-c', 'kill -9 $$'])).stoppedBy, 'signal')
})

test('kills the program and its children on abort', {
  skip: !existsSync('/proc') && 'there is no /proc',
}, async () => {
  const mark = `plaza-${process.pid}`
  const abort = new AbortController()
  const running = run('sh', ['-c', `sleep 31.5 & sleep 31.5; : ${mark}`], {}, abort.signal)
  const isRunning = () =>
    readdirSync('/proc').some((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
        return pid !== String(process.pid) && (line.includes(mark) || line.includes('31.5'))
      } catch {
        return false
      }
    })
  await until(isRunning, 'the child')
  abort.abort(new Error('enough'))
  await assert.rejects(running, /enough/)
  await until(() => !isRunning(), 'the end of the child')
  await assert.rejects(run('true', [], {}, abort.signal), /enough/)
})
