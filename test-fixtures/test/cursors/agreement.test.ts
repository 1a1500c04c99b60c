// FASTBACK_TEST_FULL: random pages on five stores.
/**
 * Walks through random rows in random orders, forward and back, give exactly the rows of the whole list, in its order,
 * on every store.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { modelsOn, store, stores } from '../agreement-stores.js'

type Loose = any
type Row = Record<string, unknown>

const model = {
  name: 'Item',
  properties: {
    id: { type: 'number', id: true },
    stars: 'number',
    flag: 'boolean',
    title: 'string',
    at: 'date',
    price: 'decimal',
    large: 'bigint'
  }
}

const absent = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { freq: 3 })
/** @param large the server of tests in place of MongoDB compares no integers that are beyond doubles */
const rowOf = (large: readonly bigint[]) => fc.record({
  stars: absent(fc.constantFrom(-1, 0, 1, 2.5)),
  flag: absent(fc.boolean()),
  title: absent(fc.constantFrom('', 'a', 'B', 'b', 'é', 'ß', '𝒳', 'Z ', 'ab')),
  at: absent(fc.constantFrom(0, 1, 1_700_000_000_123, -5).map(time => new Date(time))),
  price: absent(fc.constantFrom('0', '0.1', '9', '10.05', '-3')),
  large: absent(fc.constantFrom(...large))
})
const ofStores = rowOf([0n, 9007199254740993n, 9007199254740992n, -1n])
const ofDoubles = rowOf([0n, 7n, -1n])
const names = ['stars', 'flag', 'title', 'at', 'price', 'large', 'id']
const orderOf = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }).chain(chosen =>
  fc.tuple(...chosen.map(name => fc.constantFrom(`${name} ASC`, `${name} DESC`)))) as fc.Arbitrary<string[]>

const idsOf = (rows: readonly Row[]): unknown[] => rows.map(({ id }) => id)

/** All pages behind the first one, or in front of the last one. */
async function walk (
  Item: Loose, filter: object, way: 'after' | 'before', between: (page: number) => Promise<void> = async () => {}
): Promise<unknown[]> {
  let ids: unknown[] = []
  let cursor: string | undefined = ''
  for (let page = 0; cursor !== undefined; page++) {
    const { rows, next, prev }: Loose = await Item.findPage({ ...filter, [way]: cursor })
    if (page === 0 && (way === 'after' ? prev : next) !== undefined) throw new Error('something lies beyond the end')
    ids = way === 'after' ? [...ids, ...idsOf(rows)] : [...idsOf(rows), ...ids]
    cursor = way === 'after' ? next : prev
    await between(page)
  }
  return ids
}

for (const [name, open] of stores) {
  t.test(name, async t => {
    const opened = await open(t)
    if (opened === undefined) {
      t.comment('no server')
      return
    }
    if (opened.done !== undefined) t.teardown(opened.done)
    const { Item } = await modelsOn(opened, t, [model], ['Item']) as { Item: Loose }
    const row = name === 'mongodb' ? ofDoubles : ofStores
    await agree(Item, row)
    await whileOthersWrite(Item, row)
    t.pass('walks give the whole list')
  })
}

async function agree (Item: Loose, row: typeof ofStores): Promise<void> {
  const runs = fc.asyncProperty(
    fc.array(row, { maxLength: 14 }), orderOf, fc.integer({ min: 1, max: 5 }), fc.boolean(),
    async (rows, order, limit, narrow) => {
      await store({ Item }, { Item: rows.map((row, i) => ({ id: i * 10, ...row })) })
      const filter = { order, ...(narrow ? { where: { stars: { neq: 1 } }, fields: ['id', 'title'] } : {}) }
      const whole = idsOf(await Item.find(filter))
      assert.deepEqual(await walk(Item, { ...filter, limit }, 'after'), whole)
      assert.deepEqual(await walk(Item, { ...filter, limit }, 'before'), whole)
    })
  await fc.assert(runs, { numRuns: 80 })
}

/** Rows that stay come once each, in their order, whatever is added and removed meanwhile. */
async function whileOthersWrite (Item: Loose, row: typeof ofStores): Promise<void> {
  const runs = fc.asyncProperty(
    fc.array(row, { minLength: 6, maxLength: 12 }), orderOf, fc.array(row, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('after', 'before') as fc.Arbitrary<'after' | 'before'>,
    async (rows, order, added, way) => {
      await store({ Item }, { Item: rows.map((row, i) => ({ id: i * 10, ...row })) })
      const staying = idsOf(await Item.find({ order })).filter(id => Number(id) % 20 === 0)
      const walked = await walk(Item, { order, limit: 2 }, way, async page => {
        const more = added[page]
        if (more !== undefined) await Item.create({ id: page * 10 + 1, ...more })
        await Item.destroyAll({ id: page * 20 + 10 })
      })
      assert.equal(new Set(walked).size, walked.length, 'no row comes twice')
      assert.deepEqual(walked.filter(id => Number(id) % 20 === 0), staying, 'none is missed')
    })
  await fc.assert(runs, { numRuns: 30 })
}
