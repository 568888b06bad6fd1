import { startApp, testSecrets } from './app.ts'
import { serve } from './process.ts'
import { FORM_TYPE, form, part, makeBrokenMp4 } from './uploads.ts'
import { request } from 'node:http'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
const app = await startApp({MAX_UPLOAD_BYTES: String(4*2**30)})
const whole = form(part('file','|',{fileName:'a'})); const at = whole.indexOf('|')
test('x', async()=>{
const a = await app.user()
const server = await serve({...testSecrets(), DATA_DIR: app.deps.config.dataDir, MAX_UPLOAD_BYTES: String(4*2**30), FFMPEG:'off', LOG_LEVEL:'silent', ...(process.env.NODE_OPT && {NODE_OPTIONS: process.env.NODE_OPT})})
const mem = (f:string)=>Number(new RegExp(`${f}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.child.pid}/status`,'utf8'))?.[1])/1024|0
console.log('ZZ idle', mem('VmRSS'), mem('VmHWM'))
for (const mib of (process.env.SIZES??'4,4,64,256,512,1024').split(',').map(Number)) {
  const t=performance.now()
  const q = request(server.url+'/api/v1/uploads',{method:'POST',headers:{authorization:`Bearer ${a.token}`,'content-type':FORM_TYPE}})
  const ans = once(q,'response')
  async function* gen() { yield Buffer.concat([whole.subarray(0,at), makeBrokenMp4(64)]); const f=Buffer.alloc(2**20,7); for (let i=0;i<mib;i++) yield f; yield whole.subarray(at+1) }
  await pipeline(Readable.from(gen()), q); const [r]=await ans; r.resume()
  console.log('ZZ', mib, r.statusCode, 'RSS', mem('VmRSS'), 'HWM', mem('VmHWM'), 'anon', mem('RssAnon'), (performance.now()-t|0)+'ms')
}
server.child.kill('SIGKILL')
})
