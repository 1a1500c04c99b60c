/** Ids, path spellings and queries as they stand in a request line. */
import fc from 'fast-check'
import { hostileText, jsonOf, objectOf, type Vocabulary } from './values.js'

/** Percent-encoded. Halves of surrogate pairs have no bytes: they become U+FFFD. */
export const encoded = (value: unknown): string => encodeURIComponent(Buffer.from(String(value)).toString())

const oddIds = [
  '1',
  '2',
  '0',
  '-1',
  '99',
  '007',
  '1.0',
  '1e0',
  '0x1',
  ' 1',
  '1 ',
  'null',
  'undefined',
  'true',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  'me',
  '*',
  '%',
  '_',
  '[1,2]',
  '{"neq":0}',
  '{"inq":[1,2]}',
  '[object Object]',
  '1,2',
  "1' OR '1'='1",
  '1;2',
  '..',
  '.',
  '9007199254740993',
  '1e400',
  'findOne',
  'count',
  'exists',
  'login',
  'change-stream',
  '\u0000',
  '💥',
  'x'.repeat(2_100)
] as const

/** A path segment: mostly the id of a row that is there. Encoded. */
export const pathId = ({ ids }: Vocabulary): fc.Arbitrary<string> =>
  fc.oneof(
    ...(ids.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...ids).map(encoded), weight: 14 }]),
    { arbitrary: fc.constant('{{last}}'), weight: 2 },
    { arbitrary: fc.constantFrom(...oddIds).map(encoded), weight: 3 },
    { arbitrary: hostileText.map(encoded), weight: 1 },
    // As they are: half an escape, a dot segment, raw bytes.
    {
      arbitrary: fc.constantFrom(
        '%',
        '%zz',
        '%E4',
        '%00',
        '%2e%2e',
        '%252e',
        '..',
        '%2F',
        '%5c',
        ';x=1',
        '%C0%AF',
        '~',
        "'"
      ),
      weight: 1
    }
  )

/** Another spelling of a path, most of the time none. */
export const pathSpelling: fc.Arbitrary<(path: string) => string> = fc.oneof(
  { arbitrary: fc.constant(spelling('as it is', path => path)), weight: 30 },
  {
    arbitrary: fc.constantFrom(
      spelling('upper case', path => path.toUpperCase()),
      spelling('slash behind', path => `${path}/`),
      spelling('two slashes behind', path => `${path}//`),
      spelling('slashes doubled', path => path.replaceAll('/', '//')),
      spelling('two slashes in front', path => `/${path}`),
      spelling('dot segment', path => path.replace(/\/([^/]*)$/, '/./$1')),
      spelling('there and back', path => path.replace(/\/([^/]*)$/, '/x/../$1')),
      spelling('encoded there and back', path => path.replace(/\/([^/]*)$/, '/x/%2e%2e/$1')),
      spelling('letters encoded', path => path.replace(/[A-Za-z]/g, letter => `%${letter.charCodeAt(0).toString(16)}`)),
      spelling('one letter encoded', path =>
        path.replace(
          /([A-Za-z])([^/]*)$/,
          (_all, letter: string, rest: string) => `%${letter.charCodeAt(0).toString(16)}${rest}`
        )
      ),
      spelling('slash encoded', path => path.replace(/\/([^/]*)$/, '%2f$1')),
      spelling('backslash', path => path.replace(/\/([^/]*)$/, '\\$1')),
      spelling('parameters of a segment', path => `${path};x=y`),
      spelling('a dot behind', path => `${path}.`),
      spelling('an ending', path => `${path}.json`),
      spelling('a blank behind', path => `${path}%20`),
      spelling('NUL behind', path => `${path}%00`),
      spelling('half an escape', path => `${path}%`),
      spelling('fragment', path => `${path}#x`),
      spelling('absolute', path => `http://127.0.0.1${path}`),
      spelling('of another host', path => `http://user:pass@example.com:99999${path}`),
      spelling('no slash', path => path.slice(1)),
      spelling('star', () => '*'),
      spelling('raw Latin-1', path => `${path}\u00e9`),
      spelling('very long', path => `${path}${'/a'.repeat(4_000)}`),
      spelling('another part', path => `${path}/x`),
      spelling('two questions', path => `${path}??`),
      spelling('full width', path => path.replace('a', '%EF%BD%81'))
    ),
    weight: 2
  }
)

/** fast-check prints functions by this. */
function spelling (name: string, apply: (path: string) => string): (path: string) => string {
  return Object.assign(apply, { [fc.toStringMethod]: () => `spelled ${name}` })
}

const flat = (value: unknown): string => value !== null && typeof value === 'object' ? jsonOf(value) : String(value)

/** `name[a][b]=1` of an object. */
export function brackets (name: string, value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [`${encoded(name)}=${encoded(value)}`]
  return Object.entries(value).flatMap(([key, each]) => brackets(`${name}[${key}]`, each))
}

const rawKeys = (name: string, value: unknown): string[] =>
  brackets(name, value).map(pair => pair.replaceAll('%5B', '[').replaceAll('%5D', ']'))

const writings: Readonly<Record<string, (name: string, value: unknown) => string[]>> = {
  json: (name, value) => [`${encoded(name)}=${encoded(flat(value))}`],
  brackets,
  rawKeys,
  repeated: (name, value) =>
    (Array.isArray(value) ? value : [value]).map(each => `${encoded(name)}=${encoded(flat(each))}`),
  indexed: (name, value) =>
    (Array.isArray(value) ? value : [value]).map((each, index) => `${encoded(name)}[${index}]=${encoded(flat(each))}`),
  twice: (name, value) => [`${encoded(name)}=${encoded(flat(value))}`, `${encoded(name)}=1`],
  unencoded: (name, value) => [`${name}=${flat(value).replaceAll(/[^\u0021-\u007e]|[#&]/g, '+')}`],
  empty: name => [encoded(name)],
  unclosed: (name, value) => [`${encoded(name)}[x=${encoded(flat(value))}`],
  deep: (name, value) => [`${encoded(name)}${'[a]'.repeat(40)}=${encoded(flat(value))}`],
  proto: (name, value) => [
    `${encoded(name)}[__proto__][polluted]=1`,
    `${encoded(name)}[constructor][prototype][polluted]=1`,
    `${encoded(name)}=${encoded(flat(value))}`
  ]
}

/** How a parameter is written into the query. */
export const writing: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constant('json'), weight: 10 },
  { arbitrary: fc.constant('brackets'), weight: 3 },
  { arbitrary: fc.constantFrom(...Object.keys(writings)), weight: 2 }
)

/** The pairs of one parameter. */
export const written = (how: string, name: string, value: unknown): string[] =>
  (writings[how] as (name: string, value: unknown) => string[])(name, value)

/** Parameters that no method declared. */
export const strayQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'access_token=x',
    'access_token=',
    'access_token[a]=1',
    '_format=xml',
    '_format=html',
    '_format=x',
    'callback=alert',
    'callback=<x>',
    '_method=DELETE',
    'debug=true',
    'id=1',
    'where={}',
    'filter={}',
    'filter[where][id]=1',
    'options[accessToken]=1',
    '__proto__[polluted]=1',
    'constructor[prototype][polluted]=1',
    '__proto__=x',
    'hasOwnProperty=1',
    '&&&',
    '=',
    '%',
    '[]=1',
    'a[=1',
    '?',
    '#',
    'q=' + 'x'.repeat(17_000),
    'q[]=1&'.repeat(1_100)
  ),
  fc.tuple(hostileText, hostileText).map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
  fc.constant(objectOf([])).map(() => 'data={}')
)
