/** Local filters mean what the server's mean: drawn filters over drawn rows, asked of both (SYD-30). */
import { build } from 'esbuild'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { createClient, memoryStore } from '@fastback/client'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import type { Loose } from './support.js'

const registry = new ModelRegistry({ log: { warn () {}, info () {}, debug () {} } as never })
registry.defineDataSource('db', { connector: memoryConnector })
registry.defineModel({
  name: 'Thing',
  properties: {
    id: { type: 'string', id: true }, text: 'string', n: 'number', yes: 'boolean', at: 'date', tags: ['string'], place: 'geopoint', any: 'any'
  }
})
registry.attach('Thing', 'db', {})
const { Thing: Reference } = registry.models as Loose

interface Thing {
  id: string, text?: string | null, n?: number | null, yes?: boolean | null, at?: string | null, tags?: string[] | null
  place?: { lat: number, lng: number } | null, any?: unknown
}

/** A client that never asks anybody; its rows are put where a pull would put them. */
async function local (rows: readonly object[]) {
  const store = memoryStore()
  await store.open()
  await store.write(0, rows.map((row: Loose) => ({ table: 'rows/Thing', key: row.id, value: { data: row, rev: 'r', round: 1 } })))
  return createClient<{ Thing: Thing }>({ baseUrl: '/api', models: { Thing: { dates: ['at'] } }, store, automatic: false })
}

const nothing = [null, undefined]
const text = fc.constantFrom('', 'a', 'A', 'ab', 'b%', 'a_b', 'é', 'É', '😀', '10', 'ß', 'a\nb')
const number = fc.constantFrom(0, -1, 1, 1.5, 10, 1e21)
const date = fc.constantFrom('2026-01-01', '2026-01-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z', '2027-06-01T12:00:00+02:00')
const place = fc.record({ lat: fc.constantFrom(0, 1, 50), lng: fc.constantFrom(0, 1, 8) })
const free = fc.oneof(text, number, fc.boolean(), fc.constant({ a: 1, b: { c: ['x', 'y'] } }), fc.constant([{ a: 1 }, { a: 'b' }]), fc.constant([1, 'a']))
const orNothing = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.constantFrom(...nothing) })

const row = fc.record({
  text: orNothing(text),
  n: orNothing(number),
  yes: orNothing(fc.boolean()),
  at: orNothing(date),
  tags: orNothing(fc.array(text, { maxLength: 3 })),
  place: orNothing(place),
  any: orNothing(free)
})

const tests = (value: fc.Arbitrary<unknown>, isOrdered = true) => fc.oneof(
  value,
  fc.constant(null),
  ...['eq', 'neq', ...(isOrdered ? ['gt', 'gte', 'lt', 'lte'] : [])].map(name => fc.oneof(value, fc.constant(null)).map(operand => ({ [name]: operand }))),
  ...['inq', 'nin'].map(name => fc.array(fc.oneof(value, fc.constant(null)), { maxLength: 4 }).map(operand => ({ [name]: operand }))),
  ...(isOrdered ? [fc.tuple(value, value).map(between => ({ between }))] : []),
  fc.boolean().map(exists => ({ exists })),
  ...(isOrdered ? [fc.tuple(value, value).map(([gt, neq]) => ({ gt, neq }))] : [])
)
const pattern = fc.oneof(
  ...['like', 'nlike', 'ilike', 'nilike'].map(name => fc.constantFrom('a%', '%b', '_', '%\\%', 'é', '', 'A_B').map(operand => ({ [name]: operand }))),
  fc.constantFrom('^a', '/^A/i', 'b$', '.', '[é-ü]').map(regexp => ({ regexp })),
  fc.constantFrom('a%').map(like => ({ like, options: 'i' }))
)
const near = fc.record({
  near: fc.oneof(place, fc.constant('0,1')),
  maxDistance: fc.constantFrom(1, 200, 10_000),
  unit: fc.constantFrom('kilometers', 'miles', 'degrees')
})
const clause = fc.oneof(
  fc.record({ text: fc.oneof(tests(text), pattern) }),
  fc.record({ n: tests(number) }),
  fc.record({ yes: tests(fc.boolean(), false) }),
  fc.record({ at: tests(fc.oneof(date, date.map(each => new Date(each)))) }),
  fc.record({ tags: fc.oneof(tests(text), pattern) }),
  fc.record({ place: near }),
  fc.record({ any: fc.oneof(tests(free, false), tests(text)) }),
  fc.record({ 'any.a': tests(number) }),
  fc.record({ 'any.b.c': tests(text) }),
  fc.record({ 'place.lat': tests(number) })
)
const where = fc.letrec(tie => ({
  where: fc.oneof({ maxDepth: 3, withCrossShrink: true },
    clause,
    fc.tuple(clause, clause).map(([one, other]) => ({ ...one, ...other })),
    fc.tuple(fc.constantFrom('and', 'or', 'nor'), fc.array(tie('where'), { maxLength: 3 })).map(([name, list]) => ({ [name as string]: list })))
})).where
const filter = fc.record({
  where,
  order: fc.constantFrom(undefined, 'n', 'text DESC', ['at DESC', 'n ASC'], 'any.a, id DESC', 'place.lat'),
  limit: fc.constantFrom(undefined, 0, 1, 3),
  skip: fc.constantFrom(undefined, 0, 1)
}, { requiredKeys: ['where'] })

t.test('as the memory connector answers, so does the client', async t => {
  const rows = fc.array(row, { minLength: 1, maxLength: 8 })
  const several = fc.array(filter, { minLength: 1, maxLength: 8 })
  await fc.assert(fc.asyncProperty(rows, several, async (drawn, filters) => {
    const given = drawn.map((each, n) => Object.fromEntries(Object.entries({ id: `${n}`, ...each }).filter(([, value]) => value !== undefined)))
    await Reference.destroyAll({})
    await Reference.create(given)
    const client = await local(JSON.parse(JSON.stringify(await Reference.find({}))) as object[])
    for (const asked of filters) {
      let expected: string[] | undefined
      try {
        expected = (await Reference.find(asked)).map(({ id }: Loose) => id)
      } catch (error) {
        if ((error as Loose).statusCode !== 400) throw error
      }
      let actual: string[] | undefined
      try {
        actual = (await client.Thing.find(asked as Loose)).map(({ id }) => id)
      } catch (error) {
        if ((error as Loose).code !== 'BAD_FILTER') throw error
      }
      // What the server refuses for the type of a property, which is not known here, means nothing either.
      if (expected !== undefined && JSON.stringify(actual) !== JSON.stringify(expected)) {
        throw new Error(`${JSON.stringify(asked)} of ${JSON.stringify(given)}: ${JSON.stringify(actual)}, and the server has ${JSON.stringify(expected)}`)
      }
    }
    await client.close()
  }), { numRuns: 150 })
  t.pass()
})

t.test('the first rows of many are read in pages', async t => {
  const client = await local(Array.from({ length: 1_700 }, (_, n) => ({ id: String(n).padStart(5, '0'), n: n % 2 })))
  t.same((await client.Thing.find({ where: { n: 1 }, limit: 3, skip: 300 })).map(({ id }) => id), ['00601', '00603', '00605'])
  t.equal((await client.Thing.find({ skip: 10 })).length, 100, 'skip alone: 100 rows, as on the server')
  t.equal(await client.Thing.count({ n: 0 }), 850)
  t.match(await client.Thing.findOne({ order: 'id DESC' }), { id: '01699' })
  const [mine] = await client.Thing.find({ limit: 1 })
  Object.assign(mine as object, { n: 99 })
  t.match(await client.Thing.findById('00000'), { n: 0 }, 'rows are copies')
  await client.close()
})

t.test('what cannot be read is refused, and says why', async t => {
  const client = await local([])
  const bad: Array<[filter: Loose, message: RegExp]> = [
    [[], /not an object/], [{ include: 'x' }, /no "include"/], [{ where: [] }, /"where"/], [{ where: { and: {} } }, /"and"/],
    [{ where: { n: { $gt: 1 } } }, /"\$gt"/], [{ where: { n: { gt: 1, foo: 2 } } }, /"foo"/], [{ where: { n: { gt: {} } } }, /no order/],
    [{ where: { n: { between: [1] } } }, /list of two/], [{ where: { n: { inq: 1 } } }, /list/], [{ where: { text: { like: 1 } } }, /pattern/],
    [{ where: { text: { regexp: '(' } } }, /text/], [{ where: { text: { regexp: '/a/x' } } }, /pattern/], [{ where: { n: { exists: 'x' } } }, /exists/],
    [{ where: { at: 'soon' } }, /no date/], [{ where: { place: { near: 'x' } } }, /near/], [{ where: { n: NaN } }, /no value/],
    [{ where: { items: { some: { n: 1 } } } }, /related rows/], [{ where: { 'a..b': 1 } }, /name/], [{ order: 'n UP' }, /ASC/], [{ order: 1 }, /order/], [{ limit: -1 }, /limit/], [{ skip: 'x' }, /skip/]
  ]
  for (const [filter, message] of bad) await t.rejects(client.Thing.find(filter), { code: 'BAD_FILTER', message }, JSON.stringify(filter))
  t.throws(() => client.Thing.live({ limit: -1 }, () => {}), { code: 'BAD_FILTER' })
  t.throws(() => createClient<{ sync: Thing }>({ baseUrl: '', models: { sync: {} }, store: memoryStore() }), { code: 'BAD_OPTIONS' })
  const unknown = { Thing: { conflict: 'merge' as 'fields' } }
  t.throws(() => createClient<{ Thing: Thing }>({ baseUrl: '', models: unknown, store: memoryStore() }), { code: 'BAD_OPTIONS' })
  await client.close()
})

t.test('SYD-30: what a browser loads', async t => {
  const bundled = async (entry: string, external: string[] = []) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [fileURLToPath(import.meta.resolve(entry))], bundle: true, minify: true, write: false, metafile: true, format: 'esm', platform: 'browser', external, logLevel: 'silent'
    })
    const [file] = outputFiles
    return { bytes: file?.contents.length ?? 0, gzip: gzipSync(file?.contents ?? '').length, inputs: Object.keys(metafile.inputs) }
  }
  const whole = await bundled('@fastback/client')
  const core = await bundled('@fastback/core/query')
  const indexed = await bundled('@fastback/client/indexeddb')
  t.comment(`bytes, minified (gzip): client ${whole.bytes} (${whole.gzip}), of which conditions ${core.bytes} (${core.gzip}); the store of browsers ${indexed.bytes} (${indexed.gzip})`)
  t.ok(whole.gzip <= 15_000, 'the client')
  t.ok(core.gzip <= 10_000 && indexed.gzip <= 10_000, 'and no dependency is large')
  t.notOk(whole.inputs.some(input => input.includes('node_modules/.pnpm')), 'nothing but this and core')
  for (const input of [...whole.inputs, ...indexed.inputs].filter(each => each.includes('packages/'))) {
    t.notMatch(readFileSync(input, 'utf8'), /from 'node:/, input)
  }
})
