import { createHmac } from 'node:crypto'
import type { Actor, Anyone, Loose, TestApp } from './app.ts'
import { Authenticator } from './authenticator.ts'
import { dataOf } from './make.ts'

const STEP_MS = 30_000
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the TOTP code (RFC 6238) of a base32 secret at a time in epoch milliseconds. */
export function otpAt(secret: string, time: number): string {
  const bits = [...secret]
    .map((digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(time / STEP_MS)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export interface EnabledTotp {
  /** New recovery codes. Empty if the account already had recovery codes. */
  codes: string[]
  /** Returns a code that was never used. Moves the clock to the next step. */
  next(): string
  /** Returns the code of the step that is `steps` after the current one. Negative values select earlier steps. */
  codeAt(steps: number): string
}

/** Moves the clock to the start of a step and enables TOTP, which uses up the code of that step. */
export async function enableTotp(app: TestApp, user: Actor): Promise<EnabledTotp> {
  app.clock.advance(STEP_MS - (app.clock.now() % STEP_MS))
  const password = { current_password: user.password }
  const { secret } = dataOf(await user.post('/auth/totp', password), 201)
  const codeAt = (steps: number) => otpAt(secret, app.clock.now() + steps * STEP_MS)
  const { recovery_codes } = dataOf(await user.post('/auth/totp/confirm', { otp: codeAt(0) }))
  return {
    codes: recovery_codes ?? [],
    codeAt,
    next: () => {
      app.clock.advance(STEP_MS)
      return codeAt(0)
    },
  }
}

export async function creationOptions(user: Actor): Promise<Loose> {
  const answer = await user.post('/auth/passkeys/options', { current_password: user.password })
  return dataOf(answer).options
}

/** Registers a passkey of a new authenticator. Returns new recovery codes in `codes`, or null if the account had some. */
export async function addPasskey(user: Actor, origin: string, name = 'A phone') {
  const authenticator = new Authenticator(origin)
  const credential = authenticator.create(await creationOptions(user))
  const { passkey, recovery_codes } = dataOf(
    await user.post('/auth/passkeys', { name, credential }),
    201,
  )
  return { authenticator, passkey, codes: recovery_codes as string[] | null }
}

export async function requestOptions(anon: Anyone): Promise<Loose> {
  return dataOf(await anon.post('/auth/login/passkey/options')).options
}
