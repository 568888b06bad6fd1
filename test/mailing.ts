/** Starts a server that sends mails, and makes requests with the tokens in these mails. */
import { type Actor, type Answer, startApp } from './app.ts'
import { captchaToken } from './captcha.ts'
import { dataOf } from './make.ts'
import { startSmtp } from './smtp.ts'

export const NEW_PASSWORD = 'a new walk by the river 7'

export async function startMailing(env: Record<string, string> = {}) {
  const smtp = await startSmtp()
  const mail = {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'post@plaza.test',
    PUBLIC_URL: 'https://plaza.test',
  }
  const app = await startApp({ ...mail, ...env })
  let made = 0
  const newAddress = () => `address${++made}@example.test`
  const askReset = (identifier: string) => app.anon.post('/auth/password-reset', { identifier })
  return {
    app,
    smtp,
    mail,
    newAddress,
    askReset,
    signIn: (identifier: string, password: string, headers: Record<string, string> = {}) =>
      app.anon.post('/auth/login', { identifier, password }, { headers }),
    confirm: (token: string, new_password = NEW_PASSWORD) =>
      app.anon.post('/auth/password-reset/confirm', { token, new_password }),
    verify: (token: string) => app.anon.post('/auth/email/verify', { token }),
    undo: (token: string) => app.anon.post('/auth/email/undo', { token }),
    changeEmail: (user: Actor, email: string) =>
      user.patch('/auth/me', { email, current_password: user.password }),

    /** Returns a user with a verified address. */
    async verified(): Promise<Actor> {
      const user = await app.user()
      await app.sql(`update users set email_verified = 1 where id = '${user.id}'`)
      return user
    },

    mailsTo: (address: string) => smtp.mails.filter((received) => received.to === address),

    async register(over: Record<string, unknown> = {}): Promise<{ answer: Answer; email: string }> {
      const email = newAddress()
      const body = { handle: `reg_${++made}`, email, password: NEW_PASSWORD, ...over }
      const captcha_token = await captchaToken(app.anon)
      return { answer: await app.anon.post('/auth/register', { ...body, captcha_token }), email }
    },

    /** Requests a password reset, waits until the user has received `count` mails, and returns the latest one. */
    async resetMail(user: Actor, count = 1) {
      dataOf(await askReset(user.handle), 202)
      return smtp.to(user.email, count)
    },
  }
}
