// FASTBACK_TEST_FULL: random trees of rows on five stores.
/** Random rows written with rows of their relations: whichever row fails, nothing is stored, on every store. */
import fc from 'fast-check'
import t from 'tap'
import { modelsOn, stores } from '../agreement-stores.js'
import { runsOf } from '../../runs.mjs'

type Loose = any

const name = { type: 'string', required: true }
const definitions = [
  {
    name: 'Order',
    properties: { name },
    relations: {
      items: { type: 'hasMany', model: 'Item', foreignKey: 'orderId', nestedWrite: 'replace' },
      invoice: { type: 'hasOne', model: 'Invoice', foreignKey: 'orderId', nestedWrite: 'replace' },
      customer: { type: 'belongsTo', model: 'Customer', nestedWrite: true },
      tags: { type: 'hasMany', model: 'Tag', through: 'Tagging', nestedWrite: 'replace' }
    }
  },
  {
    name: 'Item',
    properties: { name },
    relations: {
      parts: { type: 'hasMany', model: 'Part', foreignKey: 'itemId', nestedWrite: 'replace' },
      maker: { type: 'belongsTo', model: 'Maker', nestedWrite: true }
    }
  },
  { name: 'Part', properties: { name } },
  { name: 'Maker', properties: { name } },
  { name: 'Invoice', properties: { name } },
  {
    name: 'Customer',
    properties: { name },
    relations: { region: { type: 'belongsTo', model: 'Region', nestedWrite: true } }
  },
  { name: 'Region', properties: { name } },
  { name: 'Tag', properties: { name } },
  {
    name: 'Tagging',
    properties: {},
    relations: { order: { type: 'belongsTo', model: 'Order' }, tag: { type: 'belongsTo', model: 'Tag' } }
  }
]
const names = definitions.map(({ name }) => name)

const row = (related: Record<string, fc.Arbitrary<unknown>> = {}): fc.Arbitrary<Loose> =>
  fc.record({ name: fc.constantFrom('a', 'b', 'c'), ...related }, { requiredKeys: ['name'] })
const some = (each: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> => fc.array(each, { maxLength: 2 })
const tree = row({
  items: some(row({ parts: some(row()), maker: row() })),
  invoice: row(),
  customer: row({ region: row() }),
  tags: some(row())
})
/** What is written over a tree: another one, whose rows are perhaps those that are there. */
const change = fc.record({ kind: fc.constantFrom('patch' as const, 'replace' as const), tree, keeps: fc.boolean() })

/** The rows of a tree. */
const sizeOf = (value: Loose): number => Object.values(value as object).flat().reduce<number>(
  (sum, each) => typeof each === 'object' && each !== null ? sum + sizeOf(each) : sum, 1)

/** The same tree with the ids of rows that are there: of each list the first, and what is one of the kind. */
function onto (given: Loose, there: Loose): Loose {
  const made: Loose = { ...given }
  for (const [key, value] of Object.entries(given)) {
    const old = there[key]
    if (Array.isArray(value) && value.length > 0 && Array.isArray(old) && old.length > 0) {
      made[key] = [{ id: old[0].id, ...onto(value[0], old[0]) }, ...value.slice(1)]
    }
  }
  return made
}

const plain = (value: unknown): Loose => JSON.parse(JSON.stringify(value))
const include = [{ items: ['parts', 'maker'] }, 'invoice', { customer: 'region' }, 'tags']

for (const [store, open] of stores) {
  if (store === 'sqlite beside memory') continue
  t.test(store, { timeout: 240_000 }, async t => {
    const opened = await open(t)
    if (opened === undefined) { t.pass('there is no such server'); return }
    const models = await modelsOn(opened, t, definitions, names)
    await fc.assert(fc.asyncProperty(tree, change, async (first, { kind, tree: second, keeps }) => {
      await isOneWrite(models, async () => await models.Order.create(first), sizeOf(first))
      const order = await models.Order.findOne({ include, order: 'id DESC' })
      const data = keeps ? onto(second, plain(order)) : second
      await isOneWrite(models, async () => {
        if (kind === 'replace') return await models.Order.replaceById(order.id, data)
        return await (await models.Order.findById(order.id)).patchAttributes(data)
      })
    }), { numRuns: runsOf(4) })
  })
}

/**
 * A write fails at its first row, then at its second, … and leaves all rows as they were, until it does not fail.
 * @param rows how many it stores, where that is known
 */
async function isOneWrite (
  models: Record<string, Loose>, write: () => Promise<unknown>, rows?: number
): Promise<void> {
  const all = names.map(each => models[each])
  // Without transactions a row that was stored before its hook failed stays, as it does by itself.
  const hook = models.Order.dataSource.connector.transactions === undefined ? 'before save' : 'after save'
  let left = 0
  for (const Model of all) {
    Model.observe(hook, async () => { if (left-- === 0) throw new Error('no') })
  }
  // There, what joined two rows is put back under another id.
  const shown = ({ orderId, tagId, ...row }: Loose): Loose =>
    tagId === undefined || hook === 'after save' ? { orderId, tagId, ...row } : { orderId, tagId }
  const content = async (): Promise<string> => JSON.stringify(await Promise.all(
    all.map(async Model => plain(await Model.find()).map((row: Loose) => JSON.stringify(shown(row))).sort())))
  const before = await content()
  try {
    for (let fails = 0; ; fails++) {
      left = fails
      const error = await write().then(() => undefined, (error: Error) => error)
      if (error === undefined) {
        if (rows !== undefined && fails < rows) throw new Error(`${rows} rows, of which ${fails} failed`)
        return
      }
      if (error.message !== 'no') throw error
      const after = await content()
      if (after !== before) throw new Error(`the failure of row ${fails} left\n${after}\nof\n${before}`)
    }
  } finally {
    for (const Model of all) Model.clearObservers(hook)
  }
}
