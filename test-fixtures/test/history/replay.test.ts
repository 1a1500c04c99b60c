// FASTBACK_TEST_FULL: thousands of random writes on four stores.
/**
 * Replaying the history of rows gives the rows, after random operations by every way there is: in process, over REST,
 * many at once, through relations, upserts, batches, deletes that cascade and restores. 200 operations on each store;
 * FASTBACK_TEST_RUNS=10: 2,000.
 */
import fc from 'fast-check'
import t, { type Test } from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { rest } from '@fastback/rest'
import { stores, type Stores } from '../agreement-stores.js'
import { runsOf } from '../../runs.mjs'

const rounds = runsOf(2)
const each = 100
type Loose = any

const definitions = [
  {
    name: 'Kept',
    history: true,
    softDelete: true,
    version: true,
    hidden: ['pin'],
    properties: {
      title: 'string', stars: 'number', at: 'date', pin: 'string', tags: ['string'], box: 'object',
      slug: { type: 'string', index: { unique: true } }, parentId: 'number'
    },
    relations: {
      children: { type: 'hasMany', model: 'Kept', foreignKey: 'parentId' },
      parts: { type: 'hasMany', model: 'Part', foreignKey: 'keptId', onDelete: 'cascade' }
    }
  },
  { name: 'Part', history: true, softDelete: true, properties: { name: 'string', keptId: 'number' } },
  { name: 'Lost', history: true, properties: { title: 'string', stars: 'number' } }
]

async function served ({ main }: Stores, t: Test): Promise<Loose> {
  const registry = new ModelRegistry({ log: { warn () {}, info () {}, debug () {} } as Loose })
  registry.defineDataSource('db', main as never)
  for (const definition of definitions) registry.defineModel({ strict: true, ...definition } as never)
  for (const { name } of definitions) registry.attach(name, 'db', { public: true })
  const app = Fastify()
  await app.register(core, { registry })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  t.teardown(async () => { await app.close() })
  const send = async (method: Loose, url: string, payload?: object): Promise<Loose> =>
    (await app.inject({ method, url: `/api${url}`, ...(payload === undefined ? {} : { payload }) })).json()
  return { models: registry.models, send }
}

interface Step { readonly way: number, readonly at: number, readonly n: number }

/** A way to write, of a row whose id is `id`. Errors are part of life: a taken slug, a row that is gone. */
const ways: ReadonlyArray<(app: Loose, id: number, n: number) => Promise<unknown>> = [
  ({ models }, _, n) => models.Kept.create({ title: `t${n}`, stars: n, at: new Date(n), tags: ['a', `${n}`], pin: 'x', slug: `${n}` }),
  ({ models }, _, n) => models.Kept.create([{ title: 'a', stars: n, slug: `l${n}` }, { title: 'b', box: { n }, slug: `m${n}` }]),
  ({ models }, id, n) => models.Kept.patchById(id, { title: `p${n}`, box: { deep: [n] } }),
  ({ models }, id, n) => models.Kept.replaceById(id, { title: `r${n}`, slug: `${n}` }),
  ({ models }, _, n) => models.Kept.updateAll({ stars: { lt: n } }, { stars: n, at: null }),
  ({ models }, _, n) => models.Kept.updateAll({ title: { like: `%${n}` } }, { title: `u${n}` }),
  ({ models }, id) => models.Kept.deleteById(id),
  ({ models }, _, n) => models.Kept.deleteAll({ stars: n }),
  ({ models }, id) => models.Kept.restoreById(id),
  ({ models }, id, n) => models.Kept.upsert({ id, title: `s${n}` }),
  ({ models }, id, n) => models.Kept.replaceOrCreate({ id, title: `o${n}`, slug: `${n}` }),
  ({ models }, _, n) => models.Kept.upsertWithWhere({ slug: `${n}` }, { title: `w${n}` }),
  ({ models }, _, n) => models.Kept.findOrCreate({ where: { slug: `f${n}` } }, { slug: `f${n}`, title: 'f' }),
  async ({ models }, id, n) => await (await models.Kept.findById(id))?.parts.create({ name: `c${n}` }),
  async ({ models }, id) => await (await models.Kept.findById(id))?.parts.destroyAll({ name: 'c1' }),
  async ({ models }, id, n) => await Object.assign(await models.Kept.findById(id), { stars: n }).save(),
  ({ models }, id, n) => models.Kept.transaction(async (within: Loose) => {
    await within.Kept.patchById(id, { title: `x${n}` })
    if (n % 2 === 0) throw new Error('taken back')
  }),
  ({ models }, _, n) => models.Lost.create({ title: `l${n}`, stars: n }),
  ({ models }, _, n) => models.Lost.updateAll({ stars: { lte: n } }, { title: `l${n}` }),
  ({ models }, _, n) => models.Lost.deleteAll({ stars: n }),
  ({ send }, _, n) => send('POST', '/Kepts', { title: `h${n}`, stars: n, slug: `h${n}` }),
  ({ send }, id, n) => send('PATCH', `/Kepts/${id}`, { title: `hp${n}` }),
  ({ send }, id, n) => send('PUT', `/Kepts/${id}`, { title: `hr${n}` }),
  ({ send }, id) => send('DELETE', `/Kepts/${id}`),
  ({ send }, id) => send('POST', `/Kepts/${id}/restore`),
  ({ send }, id, n) => send('POST', `/Kepts/${id}/parts`, { name: `hc${n}` }),
  ({ send }, id, n) => send('POST', `/Kepts/${id}/revert`, { version: 1 + n }),
  ({ send }, _, n) => send('POST', `/Kepts/update?where=${encodeURIComponent(JSON.stringify({ stars: n }))}`, { title: `hu${n}` }),
  ({ send }, id, n) => send('POST', '/batch', {
    atomic: true,
    operations: [
      { method: 'PATCH', path: `/Kepts/${id}`, body: { title: `b${n}` } },
      { method: 'POST', path: '/Losts', body: { title: `b${n}`, stars: n } }
    ]
  }),
  ({ models }, id, n) => models.Kept.revert(id, 1 + n)
]

const step: fc.Arbitrary<Step> = fc.record({ way: fc.nat(ways.length - 1), at: fc.nat(40), n: fc.nat(4) })
const json = (value: unknown): Loose => JSON.parse(JSON.stringify(value))
/** Nothing is as good as null. */
const said = (row: Loose): Loose => Object.fromEntries(
  Object.entries(json(row)).filter(([, value]) => value !== null).sort(([a], [b]) => a < b ? -1 : 1))

async function replay (Model: Loose, t: Test): Promise<number> {
  const History = Model.registry.models[`${Model.modelName as string}History`]
  const all = await History.find({ order: ['id ASC'] })
  const rows = new Map<string, Loose>()
  const versions = new Map<string, number>()
  for (const { rowId, version, operation, before, after } of all) {
    const next = (versions.get(rowId) ?? 0) + 1
    if (Number(version) !== next) t.fail(`version ${String(version)} of ${String(rowId)}, and not ${next}`)
    versions.set(rowId, next)
    const was = rows.get(rowId)
    const isNew = operation === 'create' || operation === 'restore'
    if (isNew !== (was === undefined)) t.fail(`${String(operation)} of a row that is ${was === undefined ? 'not ' : ''}there`)
    const stated = said(before === null || before === undefined ? {} : JSON.parse(before))
    if (JSON.stringify(said(was ?? {})) !== JSON.stringify(stated)) {
      t.fail(`before ${String(version)} of ${String(rowId)} is ${String(before)}, and not ${JSON.stringify(was)}`)
    }
    if (after === null || after === undefined) rows.delete(rowId)
    else rows.set(rowId, JSON.parse(after))
  }
  // What is hidden is stored as well: rows as the store has them.
  const stored = await Model.find()
  const names = Object.keys(Model.definition.properties)
  const found = Object.fromEntries(stored.map((row: Loose) =>
    [String(row.id), said(Object.fromEntries(names.map(name => [name, row[name]])))]))
  const replayed = Object.fromEntries([...rows].map(([id, row]) => [id, said(row)]))
  t.strictSame(replayed, found, `${Model.modelName as string}: ${all.length} versions give ${stored.length} rows`)
  return all.length
}

for (const [name, open] of stores) {
  if (name === 'sqlite beside memory') continue
  t.test(name, async (t: Test) => {
    const opened = await open(t)
    if (opened === undefined) { t.pass('there is no such server'); return }
    if (name === 'mongodb') { t.pass('its ids are texts: see the connector'); return }
    const app = await served(opened, t)
    const steps = fc.sample(fc.array(step, { minLength: each, maxLength: each }), { numRuns: rounds, seed: 8 }).flat()
    const reached = new Set<number>()
    for (const { way, at, n } of steps) {
      const ids = (await app.models.Kept.find({ fields: ['id'], deleted: 'with' })).map(({ id }: Loose) => Number(id))
      const id = ids[at % Math.max(1, ids.length)] ?? 1
      await ways[way]?.(app, id, n).then(() => reached.add(way), () => {})
    }
    const made = await replay(app.models.Kept, t) + await replay(app.models.Part, t) + await replay(app.models.Lost, t)
    t.ok(made > steps.length / 3, `${made} versions of ${steps.length} operations`)
    t.ok(reached.size > ways.length * 0.8, `${reached.size} of ${ways.length} ways were gone`)
  })
}
