import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { startSmtp } from '../../test/smtp.ts'
import { Smtp } from './transport.ts'

const letter = { language: 'en', subject: 'Hello', text: 'Hello', html: '<p>Hello' } as const

function send(url: string): Promise<void> {
  const smtp = new Smtp(url, 'Plaza <post@plaza.test>')
  const envelope = { id: 'eml_1', to: 'ana@example.test', createdAt: 0 }
  return smtp.send(envelope, letter, new AbortController().signal)
}

/** Returns the URL with an address that leads to this machine but is not a loopback address. */
const foreign = (url: string) => url.replace('127.0.0.1', '0.0.0.0')

test('credentials are never sent in clear text to a server that offers no TLS', async () => {
  const smtp = await startSmtp()
  await assert.rejects(send(foreign(smtp.url)), /STARTTLS/)
  assert.equal(smtp.auth, undefined)
  assert.deepEqual(smtp.mails, [])
})

test('a server without credentials may offer no TLS, and one on this machine needs none', async () => {
  const smtp = await startSmtp()
  await send(foreign(smtp.url).replace(/\/\/.*@/, '//'))
  assert.equal(smtp.auth, undefined)
  await send(smtp.url)
  assert.equal(smtp.auth, '\0plaza\0p@ss')
  assert.equal(smtp.mails.length, 2)
})

test('credentials are sent after STARTTLS, and only to a server with a valid certificate', async () => {
  const smtp = await startSmtp({ key: KEY, cert: CERTIFICATE })
  await assert.rejects(send(foreign(smtp.url)), /certificate/)
  assert.equal(smtp.auth, undefined)
  setDefaultCACertificates([CERTIFICATE])
  await send(foreign(smtp.url))
  assert.equal(smtp.auth, '\0plaza\0p@ss')
  assert.ok(smtp.isAuthSecret)
  assert.equal(smtp.mails.length, 1)
})

// Key and certificate for 0.0.0.0: self-signed, valid until 2120, used only in these tests.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgXVkW4bLamqJO9Ga4
R9wUs45+KdmMbE1YsEtnQos242ChRANCAARZXGTvrqB7pd+5Y3fFVMoZHvhzRIRK
QmEtfYoBGIlaWLrHuiVx/2aHrTJXLtr3e+Ij80r2SPu0b/jKhCPlN8MD
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBVjCB/qADAgECAgEBMAoGCCqGSM49BAMCMBIxEDAOBgNVBAMMBzAuMC4wLjAw
IBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBIxEDAOBgNVBAMMBzAu
MC4wLjAwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARZXGTvrqB7pd+5Y3fFVMoZ
HvhzRIRKQmEtfYoBGIlaWLrHuiVx/2aHrTJXLtr3e+Ij80r2SPu0b/jKhCPlN8MD
o0MwQTAPBgNVHREECDAGhwQAAAAAMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYE
FJDbUXmrhZnazyAFMmhdIuDrZ2gIMAoGCCqGSM49BAMCA0cAMEQCIAOJJsThcMHy
5Gke6Z1j8zT5yMO+K+75+AjQKm+upTv3AiBKP4QQce4NV6OiznbbykMdstH9TRoy
xP54bDqyJfkMLw==
-----END CERTIFICATE-----`
