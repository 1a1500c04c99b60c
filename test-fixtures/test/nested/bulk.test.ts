// FASTBACK_TEST_FULL: thousands of rows on five stores.
/** Writes of many rows at once are what the same writes one by one would be, on every store. */
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { modelsOn, stores } from '../agreement-stores.js'
import { runsOf } from '../../runs.mjs'

type Loose = any

const properties = { code: { type: 'string', required: true, index: { unique: true } }, n: { type: 'number', jsonSchema: { maximum: 100 } }, text: 'string' }
const definitions = [
  { name: 'Bulk', version: true, bulk: true, properties },
  { name: 'Alone', version: true, properties },
  { name: 'Hooked', version: true, bulk: true, properties },
  { name: 'Strict', version: true, bulk: true, strict: true, properties: { ...properties, done: { type: 'boolean', default: false } } }
]
const runs = runsOf(25)
const codes = ['a', 'b', 'c', 'd', 'e', 'f']
const row = fc.record({ code: fc.constantFrom(...codes), n: fc.integer({ min: 0, max: 110 }), text: fc.constantFrom('x', 'y') }, { requiredKeys: ['code'] })
const rows = fc.uniqueArray(row, { selector: ({ code }) => code, maxLength: 5 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('patch' as const), codes: fc.subarray(codes), data: fc.record({ n: fc.integer({ min: 0, max: 110 }), text: fc.constantFrom('x', 'z') }, { requiredKeys: [] }), where: fc.boolean() }),
  fc.record({ kind: fc.constant('delete' as const), codes: fc.subarray(codes), where: fc.boolean() }),
  fc.record({ kind: fc.constant('upsert' as const), rows })
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function inBulk (Model: Loose, given: Step, wanted: 'rows' | 'count'): Promise<Loose> {
  if (given.kind === 'upsert') return await Model.bulkUpsert({ rows: given.rows, by: ['code'], return: wanted })
  const found = await Model.find({ where: { code: { inq: given.codes } } })
  const which = given.where ? { where: { code: { inq: given.codes } } } : { ids: found.map((each: Loose) => each.id) }
  if (given.kind === 'delete') return await Model.bulkDelete({ ...which, return: wanted })
  return await Model.bulkPatch({ ...which, data: given.data, return: wanted })
}

/** All or nothing, by operations on single rows. */
async function oneByOne (Model: Loose, given: Step): Promise<void> {
  if (given.kind === 'upsert') {
    if (given.rows.some(({ n }) => (n ?? 0) > 100)) throw new Error('invalid')
    for (const each of given.rows) await Model.upsertWithWhere({ code: each.code }, each)
    return
  }
  const found = await Model.find({ where: { code: { inq: given.codes } } })
  if (given.kind === 'patch' && (given.data.n ?? 0) > 100 && found.length > 0) throw new Error('invalid')
  for (const each of found) {
    if (given.kind === 'delete') await Model.deleteById(each.id)
    else await each.patchAttributes(given.data)
  }
}

const content = async (Model: Loose): Promise<Loose[]> =>
  (await Model.find({ order: 'code' })).map(({ code, n, text }: Loose) => ({ code, n: n ?? null, text: text ?? null }))
const settled = async (work: () => Promise<unknown>): Promise<boolean> => await work().then(() => true, () => false)

async function agree (t: Test, Model: Loose, Alone: Loose): Promise<void> {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.constantFrom('rows' as const, 'count' as const), async (steps, wanted) => {
    await Model.destroyAll()
    await Alone.destroyAll()
    for (const each of steps) {
      const before = await content(Model)
      let result: Loose
      const done = await settled(async () => { result = await inBulk(Model, each, wanted) })
      const expected = await settled(() => oneByOne(Alone, each))
      // Without transactions an upsert of many leaves what it wrote before the row that was refused.
      if (!done && Model.dataSource.connector.transactions === undefined) return
      // Of no rows nothing is validated one by one.
      if (!done && expected) {
        t.equal(JSON.stringify(await content(Model)), JSON.stringify(before))
        continue
      }
      t.equal(done, expected, JSON.stringify(each))
      const now = await content(Model)
      if (JSON.stringify(now) !== JSON.stringify(await content(Alone))) throw new Error(`${JSON.stringify(each)}: ${JSON.stringify(now)} ${JSON.stringify(await content(Alone))}`)
      if (!done) continue
      if (wanted === 'rows' && result.rows.length !== result.count) throw new Error('rows')
    }
  }), { numRuns: runs })
}

/** Where no hook needs the rows, and the store can give what it writes. */
async function oneStatement (t: Test, Model: Loose): Promise<void> {
  await Model.destroyAll()
  await Model.create({ code: 'b', n: 1, text: 'old', done: true })
  const seen: string[] = []
  Model.dataSource.connector.observed((request: Loose, run: Loose) => {
    seen.push(String(request.sql).split(' ', 1)[0] as string)
    return run(request)
  })
  t.teardown(() => { Model.dataSource.connector.observed(undefined) })
  const upserted = await Model.bulkUpsert({
    rows: [{ code: 'a', n: 1 }, { code: 'b', n: 2 }], by: ['code'], return: 'rows'
  })
  t.strictSame(seen.splice(0), ['INSERT'])
  t.match(upserted.rows.map((each: Loose) => each.toJSON()), [
    { code: 'a', n: 1, done: false, version: 1 }, { code: 'b', n: 2, text: 'old', done: true, version: 2 }
  ], 'defaults are for new rows')
  const ids = upserted.rows.map((each: Loose) => each.id)
  t.match(await Model.bulkPatch({ ids, data: { n: 3 }, return: 'rows' }), { count: 2, rows: [{ n: 3 }, { n: 3 }] })
  t.strictSame(seen.splice(0), ['UPDATE'])
  t.strictSame(await Model.bulkPatch({ where: { n: 3 }, data: { n: 4 } }), { count: 2 })
  t.strictSame(seen.splice(0), ['UPDATE'])
  t.match(await Model.bulkDelete({ ids, return: 'rows' }), { count: 2, rows: [{ n: 4 }, { n: 4 }] })
  t.strictSame(seen.splice(0), ['DELETE'])
  await Model.create([{ code: 'a', n: 1 }, { code: 'b', n: 1 }])
  // Who takes the key of another row is named, by the rows one by one; nothing is written.
  await t.rejects(Model.bulkUpsert({ rows: [{ id: ids[0], code: 'c' }, { id: ids[1], code: 'a' }] }), { statusCode: 422 } as Loose)
  t.strictSame((await content(Model)).map(({ code }) => code), ['a', 'b'])
}

for (const [name, open] of stores) {
  if (name === 'sqlite beside memory') continue
  t.test(name, { timeout: 120_000 }, async t => {
    const opened = await open(t)
    if (opened === undefined) { t.pass('there is no such server'); return }
    const { Bulk, Alone, Hooked, Strict } =
      await modelsOn(opened, t, definitions, ['Bulk', 'Alone', 'Hooked', 'Strict'])
    const told: string[] = []
    Hooked.observe('after save', async (ctx: Loose) => { told.push(ctx.instance?.code) })
    Hooked.observe('before delete', async () => {})
    await agree(t, Bulk, Alone)
    await agree(t, Strict, Alone)
    if (['sqlite', 'postgres'].includes(name)) await t.test('one statement each', async t => { await oneStatement(t, Strict) })
    if (Hooked.dataSource.connector.transactions !== undefined) await agree(t, Hooked, Alone)

    await Bulk.destroyAll()
    const made = await Bulk.bulkUpsert({ rows: codes.map((code, n) => ({ code, n })), by: ['code'], return: 'rows' })
    const shown = made.rows.map((each: Loose) => [each.code, each.n, each.version])
    t.strictSame(shown, codes.map((code, n) => [code, n, 1]))
    const ids = made.rows.map((each: Loose) => each.id)
    t.strictSame(await Bulk.bulkPatch({ ids: [ids[0], ids[1], ids[1]], data: { text: 'p' } }), { count: 2 })
    const patched = await Bulk.bulkPatch({ where: { n: { gt: 3 } }, data: { text: 'q' }, return: 'rows' })
    t.strictSame(patched.rows.map((each: Loose) => [each.text, each.version]), [['q', 2], ['q', 2]])
    t.strictSame(await Bulk.bulkPatch({ all: true, data: { n: 1 } }), { count: 6 })
    for (const request of [{}, { ids: [1], where: { n: 1 } }, { where: {} }, { where: { and: [] } }, { all: false }, { ids: 1 }, { where: 'x' }, { ids: [], odd: 1 }, { all: true, return: 'x' }]) {
      await t.rejects(Bulk.bulkDelete(request), { statusCode: 400, code: 'INVALID_BULK' }, JSON.stringify(request))
      await t.rejects(Bulk.bulkPatch({ ...request, data: {} }), { statusCode: 400, code: 'INVALID_BULK' })
    }
    for (const request of [{ rows: [], by: ['n'] }, { rows: [], by: [] }, { rows: {} }, { rows: [1] }, { rows: [], by: 'code', x: 1 }]) {
      await t.rejects(Bulk.bulkUpsert(request), { code: 'INVALID_BULK' }, JSON.stringify(request))
    }
    await t.rejects(Bulk.bulkUpsert({ rows: [{ code: 'a' }, { code: 'a' }], by: ['code'] }), { statusCode: 422 } as Loose)
    await t.rejects(Bulk.bulkUpsert({ rows: [{ code: 'new' }, { code: 'b', n: 101 }], by: ['code'] }), { violations: [{ path: '[1].n' }] } as Loose)
    await t.rejects(Bulk.bulkPatch({ ids: Array(10_001).fill(1), data: {} }), { code: 'BULK_LIMIT' })
    t.equal(await Bulk.count(), 6)
    t.match(await Bulk.bulkDelete({ ids: [ids[0]], return: 'rows' }), { count: 1, rows: [{ code: 'a' }] })
    t.strictSame(await Bulk.bulkDelete({ all: true }), { count: 5 })
    await Hooked.destroyAll()
    told.length = 0
    await Hooked.bulkUpsert({ rows: [{ code: 'a' }, { code: 'b' }], by: ['code'] })
    t.strictSame(told, ['a', 'b'])
  })
}
