/**
 * Solves a captcha. Standard input: response of POST /api/v1/captcha/challenge. Output: `payload` for POST
 * /api/v1/captcha/verify.
 *
 *     curl -s -X POST "$PLAZA/api/v1/captcha/challenge" | node scripts/solve-captcha.mjs
 */
import { json } from 'node:stream/consumers'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

const { data, error } = await json(process.stdin)
if (error) throw new Error(error.message)
const { challenge } = data
const solution = await solveChallenge({ challenge, deriveKey })
console.log(Buffer.from(JSON.stringify({ challenge, solution })).toString('base64'))
