import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '../../test/files.ts'

const root = resolve(import.meta.dirname, '../..')
const tsc = join(
  dirname(createRequire(import.meta.url).resolve('@typescript/native/package.json')),
  'bin/tsc',
)
const folder = temporaryFolder('plaza-sdk-')

function run(program: string, args: string[], cwd = root): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}\n${stderr}\n${String(error)}`)
  return stdout
}

function readJson(file: string) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}

const consumer = (() => {
  let made: string | undefined
  return () => {
    if (made !== undefined) return made
    run(process.execPath, ['scripts/sdk.ts', '--build'])
    run('npm', ['pack', '--offline', '--pack-destination', folder], join(root, 'sdk'))
    const [tarball = ''] = globSync('*.tgz', { cwd: folder })
    made = join(folder, 'consumer')
    mkdirSync(made)
    writeFileSync(join(made, 'package.json'), '{ "private": true, "type": "module" }')
    const install = ['install', '--offline', '--no-audit', '--no-fund', join(folder, tarball)]
    run('npm', install, made)
    return made
  }
})()

function compile(files: string[], module: 'nodenext' | 'bundler', types: string[] = []): void {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.asynciterable'],
    types,
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    noEmit: true,
    ...(module === 'nodenext'
      ? { module: 'nodenext' }
      : { module: 'esnext', moduleResolution: 'bundler' }),
  }
  const config = join(consumer(), `tsconfig.${module}.json`)
  writeFileSync(config, JSON.stringify({ compilerOptions, files }))
  run(process.execPath, [tsc, '--project', config], consumer())
}

test('has generated source that matches openapi.json', () => {
  run(process.execPath, ['scripts/sdk.ts', '--check'])
})

test('has the version of Plaza, the MIT license and no dependencies', () => {
  const { version } = readJson('package.json')
  const own = readJson('sdk/package.json')
  assert.deepEqual([own.version, own.license], [version, 'MIT'])
  assert.equal(own.dependencies ?? own.peerDependencies, undefined)
  for (const file of globSync('sdk/src/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, from] of text.matchAll(/from '([^']+)'/g)) assert.match(from ?? '', /^\.\//, file)
  }
})

test('weighs less than 12 KB minified and compressed', async (t) => {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({ input: join(root, 'sdk/src/index.ts'), cwd: root })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  assert.equal(output.length, 1)
  const size = gzipSync(output[0].code).length
  t.diagnostic(`${size} bytes`)
  assert.ok(output[0].code.includes('/contents/{id}/like'))
  assert.ok(size < 12_000, `${size} bytes`)
})

test('contains the files it needs and no others', () => {
  const installed = join(consumer(), 'node_modules/plaza-sdk')
  const files = globSync('**/*.*', { cwd: installed })
  const others = files.filter((file) => !/^dist\/[a-z]+(\.d\.ts|\.js)$/.test(file))
  assert.deepEqual(others.sort(), ['README.md', 'package.json'])
  assert.ok(readFileSync(join(installed, 'dist/LICENSE'), 'utf8').includes('AFFERO'))
})

test('runs in every installed Node from version 20', (t) => {
  const program = `
    import { createPlaza, verifyWebhook, PlazaError } from 'plaza-sdk'
    const plaza = createPlaza({ url: 'http://127.0.0.1:9', retries: 0 })
    const failed = await plaza.feeds.list().catch((error) => error)
    const { type } = await verifyWebhook({
      headers: { 'X-Service-Secret': 'x' }, body: '{"type":"webhook.test"}', sharedSecret: 'x',
    })
    console.log(failed instanceof PlazaError, failed.code, type)`
  const path = (process.env['PATH'] ?? '').split(delimiter)
  const others = path
    .filter((place) => !place.includes('node_modules'))
    .map((place) => join(place, 'node'))
    .filter((node) => spawnSync(node, ['--version']).status === 0)
  for (const node of new Set([process.execPath, ...others])) {
    const version = run(node, ['--version']).trim()
    if (Number(version.slice(1).split('.')[0]) < 20) continue
    t.diagnostic(version)
    const printed = run(node, ['--input-type=module', '--eval', program], consumer())
    assert.equal(printed, 'true NETWORK webhook.test\n', version)
  }
})

test('accepts valid calls and rejects invalid ones by type, with both module resolutions', () => {
  copyFileSync(join(root, 'sdk/consumer/consumer.ts'), join(consumer(), 'consumer.ts'))
  compile(['consumer.ts'], 'nodenext')
  compile(['consumer.ts'], 'bundler')
})

test('compiles the examples of the guide', () => {
  const files = ['docs/sdk.md', 'sdk/README.md'].flatMap((guide, index) => {
    const text = readFileSync(join(root, guide), 'utf8')
    return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], block) => {
      const name = `example-${index}-${block}.ts`
      writeFileSync(join(consumer(), name), `${code}\nexport {}\n`)
      return name
    })
  })
  assert.ok(files.length > 8)
  const known = `declare const plaza: import('plaza-sdk').Plaza
declare const id: string
declare const file: File\n`
  writeFileSync(join(consumer(), 'known.d.ts'), known)
  const isOfNode = (name: string) =>
    readFileSync(join(consumer(), name), 'utf8').includes(" from 'node:")
  const [ofNode, others] = [files.filter(isOfNode), files.filter((name) => !isOfNode(name))]
  assert.equal(ofNode.length, 1)
  compile(['known.d.ts', ...others], 'bundler')
  compile(ofNode, 'nodenext', ['node'])
})
