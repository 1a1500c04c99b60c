import t from 'tap'
import { cpuTime } from '../../test/helpers/cpu-time.js'
import fc from 'fast-check'
import { ModelRegistry } from '../registry.js'
import { compareValues } from './compare.js'
import { deepEqual, equalTest, inTest } from './equal.js'
import { foldCase } from './fold-case.js'
import { distanceBetween } from './geo.js'
import { coerceId, idCondition } from './id.js'
import { compileLike } from './like.js'
import { defaultQueryLimits } from './limits.js'
import { compileCondition, nearOf } from './match.js'
import { bothConditions, mergeFilters } from './merge.js'
import { compileNearOrder, compileOrder } from './order.js'
import { parseFilter, parseWhere } from './parse.js'
import { compileRegExp } from './regexp.js'
import { projectRow } from './select.js'

const registry = new ModelRegistry()
registry.defineModel({
  name: 'Note',
  properties: {
    title: 'string',
    rank: 'number',
    big: 'long',
    at: 'date',
    done: 'boolean',
    labels: ['string'],
    meta: 'object',
    extra: 'any',
    spot: 'geopoint',
    data: 'buffer'
  }
})
registry.defineModel({ name: 'Word', idInjection: false, properties: { key: { type: 'string', id: true } } })
registry.defineModel({ name: 'Long', idInjection: false, properties: { id: { type: 'long', id: true } } })
const Note = registry.getModel('Note').compiled
const inside = { external: false, limits: defaultQueryLimits }
const matches = (where: object, row: Record<string, unknown>): boolean =>
  compileCondition(parseWhere(Note, where, inside))(row)

t.test('conditions', async t => {
  const row = {
    id: 1,
    title: 'Assam',
    rank: 5,
    at: new Date('2020-01-01'),
    done: true,
    labels: ['a', 'b'],
    meta: { k: 1, list: [{ n: 1 }, { n: 2, deep: ['x'] }], none: null },
    extra: [1, 'two', { k: 'v' }],
    data: Buffer.from('abc'),
    colour: 'red'
  }
  const yes = [
    {},
    { title: 'Assam' },
    { rank: { gte: 5, lte: 5 } },
    { at: { gt: '2019-12-31' } },
    { done: { gt: false } },
    { labels: 'b' },
    { labels: ['a', 'b'] },
    { 'meta.list.n': 2 },
    { 'meta.list.deep': 'x' },
    { 'meta.list.1.n': 2 },
    { 'meta.list': { n: 1 } },
    { meta: { none: null, k: 1, list: [{ n: 1 }, { n: 2, deep: ['x'] }] } },
    { 'meta.none': null },
    { 'meta.nothing': null },
    { extra: 'two' },
    { 'extra.k': 'v' },
    { extra: { inq: [7, 1] } },
    { data: Buffer.from('abc') },
    { data: { lt: Buffer.from('abd') } },
    { colour: { like: 'r_d' } },
    { colour: /^r/ },
    { missing: null },
    { missing: { neq: 1 } },
    { missing: { nin: [1] } },
    { missing: { nlike: 'x' } },
    { missing: { exists: false } },
    { labels: { nin: ['c'] } },
    { nor: [{ rank: 6 }] }
  ]
  const no = [
    { title: 'assam' },
    { rank: { gt: 5 } },
    { rank: { between: [1, 4] } },
    { labels: 'c' },
    { labels: ['b', 'a'] },
    { labels: { neq: 'a' } },
    { labels: { nin: ['c', 'a'] } },
    { labels: null },
    { 'meta.list.0.n': 2 },
    { 'meta.list.n': 3 },
    { 'meta.toString': { exists: true } },
    { 'meta.k.x': { exists: true } },
    { meta: { k: 1 } },
    { extra: '1' },
    { missing: { gt: 0 } },
    { missing: { like: '%' } },
    { missing: { exists: true } },
    { missing: { neq: null } },
    { extra: { gt: 'zzz' } },
    { nor: [{ rank: 5 }] },
    { or: [] },
    { spot: { near: '1,1' } }
  ]
  for (const where of yes) t.ok(matches(where, row), JSON.stringify(where))
  for (const where of no) t.notOk(matches(where, row), JSON.stringify(where))
})

t.test('what rows inherit is not theirs (S-34)', async t => {
  t.ok(matches({ toString: null, 'valueOf.name': null }, { id: 1 }))
  t.notOk(matches({ toString: { exists: true } }, { id: 1 }))
  t.ok(matches({ toString: 'data', hasOwnProperty: 'x' }, { toString: 'data', hasOwnProperty: ['x'] }))
  const order = compileOrder(parseFilter(Note, { order: 'valueOf' }, inside).order, Note)
  t.ok(order({ id: 1, valueOf: 2 }, { id: 2 }) > 0)
})

t.test('equality', async t => {
  t.ok(equalTest(1)(1n))
  t.ok(equalTest(1n)(1))
  t.notOk(equalTest(9007199254740993n)(9007199254740992))
  t.notOk(equalTest('1')(1))
  t.ok(equalTest(null)(undefined))
  t.notOk(equalTest(0)(null))
  t.ok(deepEqual({ a: undefined, b: [new Date(1), Buffer.from('x')] }, { b: [new Date(1), Buffer.from('x')] }))
  t.notOk(deepEqual({ a: 1 }, { a: 1, b: 2 }))
  t.notOk(deepEqual({ a: 1, b: 2 }, { a: 1 }))
  t.notOk(deepEqual([1], { 0: 1 }))
  t.notOk(deepEqual({}, new Date(0)))
  t.ok(deepEqual({ n: 1n }, { n: 1 }))
  const many = [...Array(20).keys(), 'a', null, new Date(5), 9007199254740993n]
  for (const value of [3, 3n, 'a', null, undefined, new Date(5), 9007199254740993n]) {
    t.ok(inTest(many)(value), String(value))
  }
  for (const value of [21, '3', new Date(6), 9007199254740992, 9007199254740995n]) {
    t.notOk(inTest(many)(value), String(value))
  }
})

t.test('like agrees with its definition', async t => {
  const characters = fc.constantFrom('a', 'b', 'A', '%', '_', '\\', 'é', '😀', '.', '*')
  const text = fc.array(characters, { maxLength: 8 }).map(parts => parts.join(''))
  fc.assert(fc.property(text, text, fc.boolean(), (pattern, value, ignoreCase) => {
    const characters = (given: string): string[] => [...(ignoreCase ? foldCase(given) : given)]
    return compileLike(pattern, ignoreCase)(value) === definition(characters(pattern), characters(value))
  }), { numRuns: 5000 })
  t.pass('5,000 patterns')

  /** The obvious recursion: slow, and right. */
  function definition (pattern: readonly string[], value: readonly string[]): boolean {
    const [first, ...rest] = pattern
    if (first === undefined) return value.length === 0
    if (first === '%') {
      return value.length === 0
        ? definition(rest, value)
        : definition(rest, value) || definition(pattern, value.slice(1))
    }
    if (first === '_') return value.length > 0 && definition(rest, value.slice(1))
    const [literal, after] = first === '\\' && rest.length > 0 ? [rest[0], rest.slice(1)] : [first, rest]
    return value[0] === literal && definition(after, value.slice(1))
  }
})

t.test('patterns take linear time', async t => {
  const text = 'a'.repeat(200_000)
  const took = cpuTime(() => {
    t.notOk(compileLike('%a'.repeat(100) + '%b', false)(text))
    t.notOk(compileLike('%a_'.repeat(80) + 'b', true)(text))
    t.notOk(compileRegExp({ source: '(a+)+$', ignoreCase: false, multiline: false })(`${text}b`))
    t.notOk(compileRegExp({ source: '(a|aa)*b', ignoreCase: false, multiline: false })(text))
  })
  // Quadratic time would be minutes.
  t.ok(took < 10_000, `${took} ms of the processor`)
  fc.assert(fc.property(fc.string({ maxLength: 40 }), fc.string(), (source, text) => {
    let test: (text: string) => boolean
    try {
      test = compileRegExp({ source, ignoreCase: true, multiline: false })
    } catch (error) {
      return error instanceof Error
    }
    return typeof test(text) === 'boolean'
  }))
})

t.test('case folds by Unicode simple folding, one character for one', async t => {
  // JavaScript's own regular expressions with the flags `iu` compare by simple folding.
  const wrong: string[] = []
  for (let code = 0x80; code < 0x1e944; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const folded = foldCase(character)
    if ([...folded].length !== 1) wrong.push(character)
    if (folded !== character && !new RegExp(`^${folded}$`, 'iu').test(character)) wrong.push(character)
    for (const other of [character.toLowerCase(), character.toUpperCase()]) {
      if (other === character || [...other].length > 1) continue
      if (new RegExp(`^${other}$`, 'iu').test(character) !== (foldCase(other) === folded)) wrong.push(character)
    }
  }
  t.same(wrong, [])
  t.equal(foldCase('ΣΊΣΥΦΟΣ'), foldCase('Σίσυφος'))
})

t.test('order', async t => {
  const rows = [{ id: 3, rank: null }, { id: 1, rank: 5 }, { id: 4 }, { id: 2, rank: 5 }, { id: 5, rank: -1 }]
  const ordered = (order: unknown) =>
    [...rows].sort(compileOrder(parseFilter(Note, { order }, inside).order, Note)).map(row => row.id)
  t.same(ordered(undefined), [1, 2, 3, 4, 5])
  t.same(ordered('rank'), [3, 4, 5, 1, 2])
  t.same(ordered('rank DESC'), [1, 2, 5, 3, 4])
  t.same(ordered(['rank', 'id DESC']), [4, 3, 5, 2, 1])
  const values = [
    undefined,
    null,
    false,
    true,
    -1,
    2n,
    3,
    '',
    'B',
    'a',
    new Date(0),
    new Date(1),
    Buffer.from('a'),
    Buffer.from('b')
  ]
  for (let i = 2; i < values.length; i++) {
    t.ok(compareValues(values[i - 1], values[i]) < 0 || i === 1, `${String(values[i - 1])} before ${String(values[i])}`)
  }
  t.equal(compareValues({}, [1]), 0)
})

t.test('near', async t => {
  const where = parseWhere(Note, { and: [{ title: 'x' }, { spot: { near: '60.39,5.32' } }] }, inside)
  const near = nearOf(where)
  t.match(near, { kind: 'near', lat: 60.39 })
  const rows = [{ id: 1, spot: { lat: 59.9, lng: 10.75 } }, { id: 2 }, { id: 3, spot: { lat: 60.39, lng: 5.32 } }]
  t.same(rows.sort(compileNearOrder(near as NonNullable<typeof near>, Note)).map(row => row.id), [3, 1, 2])
  t.equal(nearOf(parseWhere(Note, { or: [{ spot: { near: '1,1' } }] }, inside)), undefined)
  t.equal(nearOf(undefined), undefined)
  t.equal(
    Math.round(distanceBetween({ lat: 0, lng: 0 }, { lat: 0, lng: 180 }) / 1000),
    Math.round(Math.PI * 6370.99056)
  )
  t.equal(distanceBetween({ lat: 1, lng: 2 }, { lat: 1, lng: 2 }), 0)
})

t.test('a projected row has what was selected and what it has', async t => {
  const row = { id: 1, title: 'a', rank: undefined, other: 1, toString: 'x' }
  t.same(projectRow(row, { names: ['title', 'rank', 'at'], extra: 'none' }, Note), { title: 'a' })
  t.same(projectRow(row, { names: ['id'], extra: 'all' }, Note), { id: 1, other: 1, toString: 'x' })
  t.same(projectRow(row, { names: [], extra: ['toString', 'valueOf'] }, Note), { toString: 'x' })
})

t.test('ids are one value of their type (S-01 to S-03)', async t => {
  for (const [given, id] of [
    [1, 1],
    ['1', 1],
    ['007', 7],
    ['0x10', 16],
    ['1.5', 1.5],
    [' 2 ', 2],
    [1n, 1],
    // Stores with 64 bits compare all digits; no number equals it.
    ['9007199254740993', 9007199254740993n]
  ] as const) { t.equal(coerceId(Note, given), id) }
  const none = [
    '',
    ' ',
    'abc',
    '{"neq":0}',
    '[1,2]',
    '%',
    'null',
    'NaN',
    'Infinity',
    9007199254740992,
    NaN,
    null,
    undefined,
    {},
    [],
    [1],
    { neq: 0 },
    true,
    new Date(),
    () => 1
  ]
  for (const given of none) t.equal(coerceId(Note, given), undefined, String(given))
  const Word = registry.getModel('Word').compiled
  t.equal(coerceId(Word, '{"neq":0}'), '{"neq":0}')
  t.equal(coerceId(Word, 5), '5')
  t.equal(coerceId(Word, { toString: () => 'x' }), undefined)
  t.equal(coerceId(Word, {}), undefined)
  const Long = registry.getModel('Long').compiled
  t.equal(coerceId(Long, '9007199254740993'), 9007199254740993n)
  t.equal(coerceId(Long, '12'), 12)
  t.equal(coerceId(Long, '1.5'), undefined)
  t.match(idCondition(Note, 5), { kind: 'compare', op: 'eq', value: 5, path: { property: 'id' } })
})

t.test('filters are merged as LoopBack merges them', async t => {
  t.equal(mergeFilters(undefined, undefined), undefined)
  t.same(mergeFilters({ limit: 1 }, undefined), { limit: 1 })
  t.same(mergeFilters(undefined, { limit: 1 }), { limit: 1 })
  t.same(mergeFilters({ where: { a: 1 } }, { where: { b: 2 } }), { where: { and: [{ a: 1 }, { b: 2 }] } })
  t.same(mergeFilters({ where: {} }, { where: { b: 2 } }), { where: { b: 2 } })
  t.same(mergeFilters({ where: { a: 1 } }, { where: {} }), { where: { a: 1 } })
  t.same(mergeFilters({ order: 'a', limit: 5, fields: ['a'] }, { order: 'b', limit: 2, skip: 1, fields: ['b'] }),
    { order: 'a', limit: 2, skip: 1, fields: ['b'] })
  t.same(mergeFilters({}, { order: 'b' }), { order: 'b' })
  t.same(mergeFilters({ include: ['a', { relation: 'b', scope: { limit: 1 } }] }, { include: { b: 'c' } }), {
    include: [{ b: 'c' }, 'a']
  })
  t.same(mergeFilters({ include: { a: 'x', d: true } }, { include: 'a' }), { include: ['a', { d: true }] })
  const base = { where: { a: 1 }, include: ['a'] }
  mergeFilters(base, { where: { b: 1 }, include: 'b' })
  t.same(base, { where: { a: 1 }, include: ['a'] }, 'neither is changed')
  t.equal(bothConditions(undefined, undefined), undefined)
  t.match(bothConditions(idCondition(Note, 1), idCondition(Note, 2)), {
    kind: 'and',
    conditions: [{ value: 1 }, { value: 2 }]
  })
})
