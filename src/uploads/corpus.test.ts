import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { assertNothingLeft, drawing, makeWav, upload, WASM } from '../../test/uploads.ts'
import { sniff } from './sniff.ts'

const app = await startApp()
const ana = await app.user()

const bytes = (text: string, length = 0) =>
  Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(Math.max(0, length - text.length))])
/**
 * Returns the start of a file whose `ftyp` box has these brands, the major brand first (ISO/IEC 14496-12,
 * section 4.3).
 */
const branded = (...brands: string[]) =>
  bytes(
    `\0\0\0${String.fromCharCode(8 + 8 + 4 * (brands.length - 1))}ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`,
    64,
  )
const ebml = (document: string) =>
  bytes(
    `\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82${String.fromCharCode(0x80 + document.length)}${document}`,
    64,
  )
/** MP3 frame of 417 bytes: 128 kbit/s at 44.1 kHz. */
const frame = bytes('\xff\xfb\x90\x00', 417)
const swf = (signature: string, version: number) =>
  Buffer.concat([bytes(signature + String.fromCharCode(version)), Buffer.alloc(60)])

test('sniff detects every accepted type from the first bytes', () => {
  const types: [string, Buffer][] = [
    ['image/png', bytes('\x89PNG\r\n\x1a\n')],
    ['image/jpeg', bytes('\xff\xd8\xff\xe0')],
    ['image/gif', bytes('GIF87a')],
    ['image/gif', bytes('GIF89a')],
    ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8 ')],
    ['image/avif', branded('avif')],
    ['image/avif', branded('avis')],
    ['image/avif', branded('mif1', 'mif1', 'avif')],
    ['video/mp4', branded('isom')],
    ['video/mp4', branded('mp42')],
    ['video/mp4', branded('iso6')],
    ['video/mp4', branded('M4V ')],
    ['video/webm', ebml('webm')],
    ['video/quicktime', branded('qt  ')],
    ['video/quicktime', bytes('\0\0\0\x08wide\0\0\0\x10mdat', 32)],
    ['video/quicktime', bytes('\0\0\x10\x00moov\0\0\0\x6cmvhd', 32)],
    ['audio/mpeg', bytes('ID3\x04\0')],
    ['audio/mpeg', Buffer.concat([frame, frame])],
    ['audio/mpeg', frame],
    ['audio/mp4', branded('M4A ')],
    ['audio/ogg', bytes('OggS\0\x02')],
    ['video/ogg', bytes('OggS\0\x02', 28).fill('\x80theora', 20, 'latin1')],
    ['audio/wav', bytes('RIFF\0\0\0\0WAVEfmt ')],
    ['audio/wav', bytes('RF64\xff\xff\xff\xffWAVEds64')],
    ['audio/flac', bytes('fLaC\0')],
    ['application/zip', bytes('PK\x03\x04')],
    ['application/zip', bytes('PK\x05\x06')],
    ['application/wasm', WASM],
    ['application/x-shockwave-flash', swf('FWS', 6)],
    ['application/x-shockwave-flash', swf('CWS', 10)],
    ['application/x-shockwave-flash', swf('ZWS', 13)],
  ]
  for (const [type, head] of types) assert.equal(sniff(head), type, head.toString('latin1'))
})

test('sniff returns undefined for other types', () => {
  const none: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    'a byte': bytes('\xff'),
    HTML: bytes('<!doctype html>'),
    'HTML behind white space': bytes('\n\t <html>'),
    'HTML behind a byte order mark': bytes('\xef\xbb\xbf<html>'),
    'text in UTF-16': bytes('\xff\xfe<\0h\0t\0m\0l\0>\0'),
    SVG: bytes('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    PDF: bytes('%PDF-1.7'),
    'a script': bytes('#!/bin/sh'),
    PHP: bytes('<?php'),
    'a program of Windows': bytes('MZ\x90'),
    'a program of Linux': bytes('\x7fELF'),
    BMP: bytes('BM\x46\0\0\0', 64),
    TIFF: bytes('II*\0'),
    ICO: bytes('\0\0\x01\0\x01\0', 64),
    'JPEG XL': bytes('\xff\x0a'),
    'JPEG 2000': bytes('\0\0\0\x0cjP  \r\n\x87\n'),
    HEIC: branded('heic', 'mif1', 'heic'),
    'HEIC by its second name': branded('mif1', 'mif1', 'heic'),
    'a raw photo': branded('crx ', 'crx ', 'isom'),
    '3GP': branded('3gp5', 'isom'),
    Matroska: ebml('matroska'),
    AVI: bytes('RIFF\0\0\0\0AVI LIST'),
    AIFF: bytes('FORM\0\0\0\0AIFF'),
    MIDI: bytes('MThd'),
    AAC: bytes('\xff\xf1\x50\x80', 600),
    MP2: bytes('\xff\xfd\x90\x00', 600),
    'an MP3 frame that no other follows': Buffer.concat([frame, Buffer.alloc(100)]),
    'a film of no version': swf('FWS', 0),
    'a word in capitals': bytes('FWSA'),
    gzip: bytes('\x1f\x8b\x08'),
    '7z': bytes('7z\xbc\xaf\x27\x1c'),
    RAR: bytes('Rar!\x1a\x07'),
    tar: bytes('', 257).fill(0, 0, 257),
    SQLite: bytes('SQLite format 3\0'),
    'a size without an atom': bytes('\0\0\0\x10abcd', 32),
    'an atom with a size beyond reason': bytes('\xff\xff\xff\xffmoov', 8),
  }
  for (const [name, head] of Object.entries(none)) assert.equal(sniff(head), undefined, name)
})

test('serves any content as the type of its first bytes, or rejects it, and never as a page', async () => {
  const png = await drawing().png().toBuffer()
  const jpeg = await drawing().jpeg().toBuffer()
  const gif = await drawing().gif().toBuffer()
  const page = '<html><script>alert(1)</script></html>'
  const odd: [string, Buffer, number][] = [
    ['a.html', png, 201],
    ['a.png', bytes(page), 415],
    ['page behind a picture.html', Buffer.concat([png, bytes(page)]), 201],
    ['archive behind a photo.zip', Buffer.concat([jpeg, bytes('PK\x05\x06', 22)]), 201],
    ['script in a picture.js', bytes('GIF89a/*', 64), 422],
    ['php in a photo.php', Buffer.concat([bytes('\xff\xd8\xff'), bytes('<?php phpinfo();')]), 422],
    ['page as sound.html', Buffer.concat([bytes('ID3\x04\0\0\0\0\0\0'), bytes(page)]), 201],
    ['page as video.html', Buffer.concat([branded('isom'), bytes(page)]), 201],
    ['page as WAV.html', Buffer.concat([makeWav(), bytes(page)]), 201],
    ['pdf as archive.pdf', Buffer.concat([bytes('PK\x03\x04'), bytes('%PDF-1.7')]), 422],
    ['picture behind text.png', Buffer.concat([bytes('x'), png]), 415],
    ['cut.png', png.subarray(0, 40), 422],
    ['only its signature.png', png.subarray(0, 8), 422],
    ['cut.jpg', jpeg.subarray(0, jpeg.length >> 1), 422],
    ['cut.gif', gif.subarray(0, gif.length >> 1), 422],
    ['empty chunk.png', Buffer.concat([png.subarray(0, 8), Buffer.alloc(12)]), 422],
    ['long chunk.png', Buffer.concat([png.subarray(0, 8), bytes('\xff\xff\xff\xffIHDR')]), 422],
    ['no picture.webp', bytes('RIFF\x04\0\0\0WEBP'), 422],
    ['lying.webp', bytes('RIFF\xff\xff\xff\xffWEBPVP8 ', 100), 422],
    ['no picture.avif', branded('avif'), 422],
    ['empty.zip', bytes('PK\x05\x06', 22), 422],
    ['not a module.wasm', bytes('\0asm'), 422],
  ]
  for (const [name, file, status] of odd) {
    const answer = await upload(ana, file, name)
    assert.equal(answer.status, status, `${name}: ${answer.text}`)
    if (status !== 201) continue
    const { url, mime_type } = answer.data.upload
    const shown = await fetch(app.url + url)
    assert.equal(shown.headers.get('content-type'), mime_type, name)
    assert.match(mime_type, /^(image|video|audio)\/(png|jpeg|mp4|mpeg|wav)$/, name)
    assert.equal(shown.headers.get('x-content-type-options'), 'nosniff')
    await shown.body?.cancel()
  }
  await assertNothingLeft(app)
})

test('stores nothing that follows a picture', async () => {
  for (const format of ['png', 'jpeg', 'gif', 'webp'] as const) {
    const clean = await drawing().toFormat(format).toBuffer()
    const answer = await upload(ana, Buffer.concat([clean, bytes('<?php phpinfo();')]))
    assert.equal(answer.data.upload.size_bytes, clean.length, format)
  }
})
