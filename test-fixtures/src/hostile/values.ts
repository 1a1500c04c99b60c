/**
 * Values that nobody would send: texts, numbers, names, trees of them. The first of each list is what a failure shrinks
 * to.
 */
import { operatorNames, operatorOptionNames } from '@fastback/core/query'
import fc from 'fast-check'

/** Names that JavaScript, the ORM or a database gives a meaning. */
export const specialNames = [
  'id',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  'toJSON',
  'toObject',
  'save',
  'patchAttributes',
  'isValid',
  'isNewRecord',
  'setAttributes',
  'reload',
  'destroy',
  'createAccessToken',
  'hasPassword',
  'verify',
  'accessTokens',
  '__get__accessTokens',
  '__data',
  '__cachedRelations',
  '__defineGetter__',
  'length',
  'name',
  'app',
  'where',
  'filter',
  'and',
  'or',
  'nor',
  'not',
  'include',
  'relation',
  'scope',
  'fields',
  'order',
  'limit',
  'skip',
  'offset',
  'data',
  'options',
  'accessToken',
  'access_token',
  'prohibitHiddenPropertiesInQuery',
  ...operatorNames,
  ...operatorOptionNames,
  '$where',
  '$ne',
  '$gt',
  '$or',
  '$regex',
  '$type',
  '$data',
  '$expr',
  '$id',
  '$ref',
  'userId',
  'ownerId',
  'owner',
  'realm',
  'roles',
  'emailVerified',
  'verificationToken',
  'created',
  'ttl',
  'scopes',
  'principalType',
  'principalId',
  'a.b',
  '.',
  '',
  '0',
  '-1',
  '[]',
  '[0]',
  'a[b]',
  ' id',
  'ID',
  '"id"',
  '`id`',
  'id"',
  "id'--",
  'id; DROP TABLE x',
  'id\u0000',
  'rowid',
  'sqlite_master',
  'toString.constructor',
  '\u{1f4a9}',
  'é',
  'x'.repeat(300)
] as const

export const sqlTexts = [
  "'",
  "' OR 1=1 --",
  "'; DROP TABLE Customer; --",
  '" OR ""="',
  '`',
  '\\',
  "\\'",
  "1' UNION SELECT sql FROM sqlite_master --",
  '1; SELECT pg_sleep(5)',
  "' AND sleep(5) #",
  '$1',
  '?',
  ':id',
  '@p1',
  "E'\\x00'",
  '/*',
  'NULL',
  'x\\',
  "a'||'b"
] as const

/**
 * Patterns that a backtracking engine does not finish, that are no patterns, or that mean something to one of the
 * databases only.
 */
export const patternTexts = [
  '%',
  '_',
  '%%',
  'a%',
  '%\\',
  '\\%',
  '(a+)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(a|aa)+$',
  '(.*a){25}',
  '(?=a)',
  '(?<n>a)\\k<n>',
  '[',
  '(',
  '*',
  '+',
  'a{2,1}',
  'a{99999}',
  '((((((((((a{9}){9}){9}){9}){9}){9}){9})))',
  '[[:alpha:]]',
  '\\p{L}',
  '\\u{110000}',
  '/a/i',
  '/a/gg',
  '/(/',
  '%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%',
  'a'.repeat(257),
  '_'.repeat(256),
  '%a'.repeat(128),
  '(?i)a',
  '.'.repeat(200),
  '\u0000',
  '^',
  '$',
  ''
] as const

export const oddTexts = [
  '',
  'a',
  '0',
  '1',
  '-1',
  '00',
  '1.5',
  '1e3',
  '1e400',
  '-1e400',
  'NaN',
  'Infinity',
  '0x10',
  ' 1 ',
  '9007199254740993',
  '18446744073709551616',
  '2147483648',
  'null',
  'undefined',
  'true',
  'TRUE',
  'false',
  '[]',
  '{}',
  '[1,2]',
  '{"neq":0}',
  '{"a":',
  '[object Object]',
  '__proto__',
  'constructor',
  'title DESC',
  'id ASC, id DESC',
  'id; --',
  'id DESC NULLS FIRST',
  '2020-01-01',
  '2020-02-30',
  '2020-01-01T00:00:00Z',
  '2020-01-01T25:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00Z',
  '0000-00-00',
  'not a date',
  '10,20',
  '91,181',
  'a,b',
  '%',
  '%25',
  '%2e%2e',
  '%zz',
  '../../etc/passwd',
  'file:///etc/passwd',
  '//example.com',
  'http://example.com/',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '$' + '{7*7}',
  '\u0000',
  '\r\nX-Split: yes',
  '\n',
  '\t',
  '\u2028',
  '\ud800',
  '\udc00x',
  '\ufeff',
  '\u202e',
  '💥',
  'ß',
  'İ',
  'a\u0300',
  '\u{10ffff}',
  'a@example.com',
  'A@EXAMPLE.COM',
  "a'b@example.com",
  '@',
  'a@b',
  'me',
  'x'.repeat(73),
  'é'.repeat(37),
  'x'.repeat(3_000),
  '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  '{"$type":"date","$data":"x"}',
  '{"$type":"base64","$data":"!"}',
  '{"where":{"id":1}}',
  '/a/',
  'User',
  'Object',
  'ROLE'
] as const

const oddNumbers = [
  0,
  1,
  -1,
  2,
  1.5,
  -0,
  1e21,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53) - 2,
  Number.MAX_SAFE_INTEGER,
  1e15 + 0.5,
  Infinity,
  -Infinity,
  NaN,
  8.64e15,
  8.64e15 + 1,
  0.1
] as const

/** Text of every kind. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...oddTexts), weight: 6 },
  { arbitrary: fc.constantFrom(...sqlTexts), weight: 2 },
  { arbitrary: fc.constantFrom(...patternTexts), weight: 2 },
  {
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 12 })
      .map(points => String.fromCodePoint(...points)),
    weight: 1
  },
  { arbitrary: fc.string({ maxLength: 30 }), weight: 1 }
)

/** Numbers; those that JSON cannot say are written by `jsonOf` as `1e400`. */
export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  { arbitrary: fc.constantFrom(...oddNumbers), weight: 3 },
  { arbitrary: fc.integer(), weight: 1 },
  { arbitrary: fc.double(), weight: 1 }
)

export const hostileScalar: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.constant(null), weight: 1 },
  { arbitrary: hostileText, weight: 5 },
  { arbitrary: hostileNumber, weight: 3 },
  { arbitrary: fc.boolean(), weight: 1 }
)

/** What an application's models say, for values that mean something to it. */
export interface Vocabulary {
  /** Property, relation and model names, hidden ones included. */
  readonly names: readonly string[]
  /** Ids of rows that are there. */
  readonly ids: readonly unknown[]
}

export const noVocabulary: Vocabulary = { names: [], ids: [] }

export const hostileName = ({ names }: Vocabulary = noVocabulary): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...specialNames), weight: 5 },
    ...(names.length === 0
      ? []
      : [
          { arbitrary: fc.constantFrom(...names), weight: 4 },
          {
            arbitrary: fc
              .tuple(
                fc.constantFrom(...names),
                fc.constantFrom('.length', '.x', ' ', '"', ' DESC', '\u0000', '.0', '[x]')
              )
              .map(([name, end]) => name + end),
            weight: 1
          }
        ]),
    { arbitrary: fc.string({ maxLength: 6 }), weight: 1 }
  )

/** A member called `__proto__` is a member, never a prototype. */
export const objectOf = (entries: ReadonlyArray<readonly [string, unknown]>): Record<string, unknown> =>
  Object.fromEntries(entries)

/** Objects and lists of names and scalars, some too deep, some too wide. */
export function hostileTree (vocabulary: Vocabulary = noVocabulary): fc.Arbitrary<unknown> {
  const name = hostileName(vocabulary)
  const { tree } = fc.letrec<{ tree: unknown; list: unknown; object: unknown }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      { arbitrary: hostileScalar, weight: 4 },
      { arbitrary: tie('object'), weight: 3 },
      { arbitrary: tie('list'), weight: 1 }
    ),
    list: fc.array(tie('tree'), { maxLength: 4 }),
    object: fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }).map(objectOf)
  }))
  return fc.oneof(
    { arbitrary: tree, weight: 24 },
    { arbitrary: tooDeep(name), weight: 1 },
    { arbitrary: tooWide(name), weight: 1 }
  )
}

const tooDeep = (name: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.integer({ min: 6, max: 80 }),
      fc.oneof(fc.constantFrom('and', 'or', 'a', 'scope', 'include', ''), name),
      hostileScalar,
      fc.boolean()
    )
    .map(([depth, key, leaf, inLists]) => {
      let value = leaf
      for (let level = 0; level < depth; level++) value = objectOf([[key, inLists ? [value] : value]])
      return value
    })

const tooWide = (name: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.constantFrom(30, 600, 5_100), fc.oneof(fc.constantFrom('and', 'or', 'inq', 'nin'), name), hostileScalar)
    .map(([width, key, leaf]) => objectOf([[key, Array.from({ length: width }, () => leaf)]]))

/** The text of a value as JSON, with what JSON lacks said as clients can say it: `1e400`, members twice. */
export function jsonOf (value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'NaN' : value > 0 ? '1e400' : '-1e400'
  }
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}:${jsonOf(each)}`)
      .join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
