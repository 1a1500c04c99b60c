/** Headers that are no business of the route, or lie. */
import fc from 'fast-check'
import type { HeaderList } from './bodies.js'
import { hostileText } from './values.js'

/** Characters that a header can carry over a socket without ending it; the rest goes as UTF-8 bytes. */
const headerText = (text: string): string => text.replaceAll(/[\r\n]/g, ' ')

const single: readonly HeaderList[] = [
  [['accept', 'application/json']],
  [['accept', 'text/html']],
  [['accept', 'application/xml']],
  [['accept', 'x']],
  [['accept', 'image/png']],
  [['accept', ',;q=,']],
  [['accept', '*/*;q=' + '0'.repeat(2_000)]],
  [['accept', 'text/event-stream']],
  [['accept', 'application/javascript']],
  [['x-http-method-override', 'DELETE']],
  [['x-http-method', 'PUT']],
  [['x-forwarded-for', "1.1.1.1' OR 1=1"]],
  [['x-forwarded-host', 'evil.example']],
  [['x-forwarded-proto', 'javascript']],
  [['x-original-url', '/explorer']],
  [['x-rewrite-url', '/']],
  [['host', 'evil.example']],
  [['host', '']],
  [['origin', 'http://evil.example']],
  [['origin', 'null']],
  [
    ['access-control-request-method', 'DELETE'],
    ['origin', 'http://evil.example']
  ],
  [['if-none-match', '*']],
  [['if-none-match', '"x"']],
  [['if-modified-since', 'x']],
  [['range', 'bytes=0-0']],
  [['range', 'bytes=-1,0-,5-2']],
  [['expect', '100-continue']],
  [['expect', 'x']],
  [
    ['upgrade', 'websocket'],
    ['connection', 'Upgrade']
  ],
  [
    ['upgrade', 'h2c'],
    ['connection', 'Upgrade, HTTP2-Settings']
  ],
  [['te', 'trailers']],
  [['last-event-id', '-1']],
  [['last-event-id', '1e400']],
  [['last-event-id', '__proto__']],
  [['prefer', 'count=exact']],
  [['accept-language', "x';--"]],
  [['accept-encoding', 'gzip;q=0, *']],
  [['user-agent', '']],
  [['referer', '\u00e9']],
  [['filter', '{"where":{"id":1}}']],
  [['where', '{}']],
  [['id', '1']],
  [['data', '{}']],
  [['options', '{"accessToken":{"userId":1}}']],
  [['accesstoken', '1']],
  [['__proto__', 'x']],
  [['constructor', 'x']],
  [['x-request-id', 'a\tb']],
  [['cookie', 'access_token=x; authorization=y']],
  [['cookie', 'access_token=s:x.y']],
  [['cookie', '=; ;;=a; __proto__=1; x=%']],
  [['cookie', 'a=' + 'b'.repeat(6_000)]],
  [
    ['content-length', '0'],
    ['content-length', '5']
  ],
  [['content-length', '-1']],
  [['content-length', 'x']],
  [
    ['transfer-encoding', 'chunked'],
    ['content-length', '4']
  ],
  [['transfer-encoding', 'gzip, chunked']],
  [['transfer-encoding', 'identity']],
  [['x big', 'name with a blank']],
  [['x-nul', 'a\u0000b']],
  [['x-large', 'x'.repeat(20_000)]],
  Array.from({ length: 300 }, (_each, index) => [`x-many-${index}`, 'x'] as const)
]

/** What goes along with a request that no client sends. */
export const strayHeaders: fc.Arbitrary<HeaderList> = fc.oneof(
  { arbitrary: fc.constantFrom(...single), weight: 5 },
  {
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'accept',
          'accept-language',
          'cookie',
          'if-none-match',
          'origin',
          'x-request-id',
          'last-event-id',
          'range',
          'filter',
          'x-owner',
          'referer'
        ),
        hostileText
      )
      .map(([name, text]): HeaderList => [[name, headerText(text)]]),
    weight: 1
  }
)

/**
 * Headers whose presence changes where the message ends: a response, if any, is the parser's, and the connection is
 * over.
 */
export const breaksFraming = (headers: HeaderList): boolean =>
  headers.some(([name]) => name === 'content-length' || name === 'transfer-encoding')

/** A credential: which account's token, and how it is carried. */
export interface Credential {
  /** Position in the list of accounts. */
  readonly account: number
  readonly carrier: 'header' | 'authorization' | 'bearer' | 'basic' | 'query' | 'cookie'
}

/** @param mighty the account that is used as often as all others together, for what only few may do */
export const credential = (accounts: number, mighty = 0): fc.Arbitrary<Credential> =>
  fc.record({
    account: fc.oneof(fc.integer({ min: 0, max: accounts - 1 }), fc.constant(mighty)),
    carrier: fc.oneof(
      { arbitrary: fc.constant('header' as const), weight: 6 },
      { arbitrary: fc.constantFrom('authorization', 'bearer', 'basic', 'query', 'cookie'), weight: 1 }
    )
  })

/** Credentials that are none. */
export const badCredential: fc.Arbitrary<HeaderList> = fc.oneof(
  fc.constantFrom<HeaderList>(
    [['authorization', 'x']],
    [['authorization', 'Bearer']],
    [['authorization', 'Bearer ']],
    [['authorization', 'Bearer eA==']],
    [['authorization', 'Basic']],
    [['authorization', 'Basic Og==']],
    [['authorization', 'Basic ////']],
    [['authorization', 'Digest username="x"']],
    [['authorization', '[object Object]']],
    [['authorization', 'undefined']],
    [['authorization', '__proto__']],
    [['x-access-token', '{"neq":0}']],
    [
      ['x-access-token', 'x'],
      ['x-access-token', 'y']
    ],
    [['x-access-token', 'x'.repeat(8_000)]],
    [['x-access-token', '%']],
    [
      ['authorization', 'a'],
      ['authorization', 'b']
    ],
    [['x-access-token', '']]
  ),
  hostileText.map((text): HeaderList => [['x-access-token', headerText(text)]]),
  hostileText.map((text): HeaderList => [['authorization', `Bearer ${Buffer.from(text).toString('base64')}`]])
)
