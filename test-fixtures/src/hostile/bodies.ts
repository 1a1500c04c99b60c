/** Bodies as bytes, with the headers that say what they are, or say something else. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { brackets, encoded } from './addresses.js'
import { jsonOf } from './values.js'

export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>

export interface Payload {
  readonly headers: HeaderList
  readonly bytes: Buffer
  /** Sent in chunks instead of with a length. */
  readonly chunked?: boolean
  /** Fewer bytes follow than were promised: the client leaves. */
  readonly broken?: boolean
}

const json = (text: string): Payload => ({ headers: [['content-type', 'application/json']], bytes: Buffer.from(text) })
const typed = (type: string, bytes: Buffer | string): Payload => ({
  headers: type === '' ? [] : [['content-type', type]],
  bytes: Buffer.from(bytes)
})
const packed =
  (name: string, pack: (bytes: Buffer) => Buffer) =>
    (value: unknown): Payload => ({
      headers: [
        ['content-type', 'application/json'],
        ['content-encoding', name]
      ],
      bytes: pack(Buffer.from(jsonOf(value)))
    })

const formOf = (value: unknown): string =>
  value !== null && typeof value === 'object'
    ? Object.entries(value)
      .flatMap(([key, each]) => brackets(key, each))
      .join('&')
    : encoded(value)

const multipart = (value: unknown): string =>
  Object.entries(Object(value) as object)
    .map(
      ([key, each]) =>
        `--x\r\ncontent-disposition: form-data; name="${key.replaceAll(/["\r\n]/g, '')}"; filename="../../x"\r\n\r\n${jsonOf(each)}\r\n`
    )
    .join('') + '--x--\r\n'

/** A mebibyte of zeros is about a kilobyte when packed. */
const bomb = Buffer.from(`{"title":"${'0'.repeat(3 << 20)}"}`)
const bombs = { gzip: gzipSync(bomb), deflate: deflateSync(bomb), br: brotliCompressSync(bomb) }
/** Packed twice: what comes out of the first is still packed. */
const nested = gzipSync(gzipSync(Buffer.from('{"title":"x"}')))

const shapes: Readonly<Record<string, (value: unknown) => Payload>> = {
  json: value => json(jsonOf(value)),
  form: value => typed('application/x-www-form-urlencoded', formOf(value)),
  charset: value => typed('application/json; charset=utf-8', jsonOf(value)),
  utf16: value => typed('application/json; charset=utf-16le', Buffer.from(jsonOf(value), 'utf16le')),
  utf16Lie: value => typed('application/json; charset=utf-16', jsonOf(value)),
  utf7: value => typed('application/json; charset=utf-7', jsonOf(value)),
  latin1: value => typed('application/json; charset=iso-8859-1', Buffer.from(jsonOf(value), 'latin1')),
  noCharset: value => typed('application/json; charset=', jsonOf(value)),
  protoCharset: value => typed('application/json; charset=__proto__', jsonOf(value)),
  byteOrderMark: value => json(`\ufeff${jsonOf(value)}`),
  badUtf8: value =>
    typed(
      'application/json',
      Buffer.concat([
        Buffer.from('{"a":"'),
        Buffer.from([0xc3, 0x28, 0xff, 0xfe]),
        Buffer.from(`","b":${jsonOf(value)}}`)
      ])
    ),
  text: value => typed('text/plain', jsonOf(value)),
  xml: value =>
    typed(
      'application/xml',
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;${encoded(jsonOf(value))}</x>`
    ),
  vendor: value => typed('application/vnd.api+json', jsonOf(value)),
  upperType: value => typed('APPLICATION/JSON', jsonOf(value)),
  typeWithComma: value => typed('application/json, text/plain', jsonOf(value)),
  nonsenseType: value => typed('nonsense', jsonOf(value)),
  noType: value => typed('', jsonOf(value)),
  multipart: value => typed('multipart/form-data; boundary=x', multipart(value)),
  multipartNoEnd: value => typed('multipart/form-data; boundary=x', multipart(value).slice(0, -8)),
  multipartNoBoundary: value => typed('multipart/form-data', multipart(value)),
  chunked: value => ({ ...json(jsonOf(value)), chunked: true }),
  gzip: packed('gzip', bytes => gzipSync(bytes)),
  deflate: packed('deflate', bytes => deflateSync(bytes)),
  rawDeflate: packed('deflate', bytes => deflateRawSync(bytes)),
  brotli: packed('BR', bytes => brotliCompressSync(bytes)),
  identity: packed('identity', bytes => bytes),
  notPacked: packed('gzip', bytes => bytes),
  halfPacked: packed('gzip', bytes => {
    const all = gzipSync(bytes)
    return all.subarray(0, all.length >> 1)
  }),
  packedTwice: () => ({
    headers: [
      ['content-type', 'application/json'],
      ['content-encoding', 'gzip, gzip']
    ],
    bytes: nested
  }),
  unknownCoding: packed('zstd', bytes => bytes),
  gzipBomb: () => ({
    headers: [
      ['content-type', 'application/json'],
      ['content-encoding', 'gzip']
    ],
    bytes: bombs.gzip
  }),
  deflateBomb: () => ({
    headers: [
      ['content-type', 'application/json'],
      ['content-encoding', 'deflate']
    ],
    bytes: bombs.deflate
  }),
  brotliBomb: () => ({
    headers: [
      ['content-type', 'application/json'],
      ['content-encoding', 'br']
    ],
    bytes: bombs.br
  }),
  broken: value => ({ ...json(jsonOf(value)), broken: true })
}

const texts = [
  '',
  ' ',
  'null',
  '{',
  '}',
  '[',
  '"',
  '1',
  '-0',
  'true',
  '"text"',
  '[]',
  '{}',
  '{"a":1}x',
  '{"a":1,"a":2}',
  '{"id":1,"id":2}',
  "{'a':1}",
  '{a:1}',
  '{"a":1,}',
  '[1,]',
  'NaN',
  '1e400',
  '01',
  '{"a":"\u0000"}',
  '{"a":"\\u0000"}',
  '{"a":"\\ud800"}',
  '{"\\u005f\\u005fproto\\u005f\\u005f":{"polluted":true}}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '[{"__proto__":{"polluted":true}}]',
  '{"a":{"b":[{"__proto__":null}]}}',
  '{"__proto__":1,"title":"x"}',
  '{"then":1}',
  '{"toJSON":"x","title":"x","name":"x"}',
  '{"hasOwnProperty":1,"title":"x","name":"x"}',
  '[null]',
  '[[]]',
  '[1]',
  '[{}]',
  '{"length":1000000000}',
  '{"0":{},"1":{},"length":2}',
  '{"$type":"date","$data":"x"}',
  '{"title":{"$type":"base64","$data":"!"}}'
] as const

/** A body that may be any of the shapes around `value`; most are JSON as it should be. */
export const payloadOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Payload> =>
  fc.oneof(
    { arbitrary: value.map(each => json(jsonOf(each))), weight: 100 },
    { arbitrary: value.map(each => (shapes.form as (value: unknown) => Payload)(each)), weight: 10 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom(...Object.keys(shapes)), value)
        .map(([shape, each]) => (shapes[shape] as (value: unknown) => Payload)(each)),
      weight: 14
    },
    { arbitrary: fc.constantFrom(...texts).map(json), weight: 5 },
    {
      arbitrary: fc.constantFrom(63, 64, 65, 500, 20_000).map(depth => json('['.repeat(depth) + ']'.repeat(depth))),
      weight: 1
    },
    {
      arbitrary: fc
        .constantFrom(63, 65, 500, 20_000)
        .map(depth => json('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))),
      weight: 1
    },
    {
      arbitrary: fc
        .constantFrom(90_000, 110_000, 1_100_000)
        .map(length => json(`{"title":"${'x'.repeat(length)}","name":"x"}`)),
      weight: 1
    },
    {
      arbitrary: fc.uint8Array({ maxLength: 40 }).map(bytes => typed('application/json', Buffer.from(bytes))),
      weight: 2
    }
  )
