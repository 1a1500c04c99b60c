// FASTBACK_TEST_FULL: random conditions on five stores.
/**
 * Conditions on related rows mean the same on every store, and across two of them, as loops over rows in plain
 * JavaScript do: for code in the process, and for requests, which have a budget. 100 conditions for
 * each store; FASTBACK_TEST_RUNS=30: 3,000.
 */
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { remoteOptions } from '@fastback/core/remote'
import { modelsOn, store, stores, type Stores } from '../agreement-stores.js'
import {
  definitions, embedded, inOrder, ordered, passes, related, someOrder, someRows, someWhere, targetOf, ways,
  type ModelName, type Row, type Rows
} from './world.js'
import { runsOf } from '../../runs.mjs'

type Loose = any
type Models = Record<ModelName, Loose>

const conditions = runsOf(100)
/** For one set of rows. */
const perRows = 20

const attached = definitions.map(({ name }) => name)
const open = (opened: Stores, t: Test): Promise<Models> =>
  modelsOn(opened, t, [...embedded, ...definitions], attached, ['Item', 'OrderTag']) as Promise<Models>

/** Undefined: a request may not go back and forth over the same keys (security.md, S-75). */
async function findOrRefuse (Model: Loose, where: Row, options: object): Promise<Row[] | undefined> {
  try {
    return await Model.find({ where }, options)
  } catch (error) {
    if (/back and forth/.test(String(error))) return undefined
    throw error
  }
}

const queried: readonly ModelName[] = ['Customer', 'Order', 'Item', 'Picture', 'OrderTag']
/** Conditions have at most 12 levels, those of code too. */
const isShallow = (where: Row): boolean => depthOf(where) <= 10
const depthOf = (value: unknown): number => value === null || typeof value !== 'object'
  ? 0
  : 1 + Math.max(0, ...Object.values(value).map(depthOf))
const asked = fc.oneof(...queried.map(model =>
  someWhere(model, 3).filter(isShallow).map(where => ({ model, where }))))

for (const [name, start] of stores) {
  t.test(name, { timeout: 0 }, async t => {
    const opened = await start(t)
    if (opened === undefined) { t.comment(`no ${name} server`); return }
    const models = await open(opened, t)
    const check = async (rows: Rows, filters: ReadonlyArray<{ model: ModelName, where: Row }>): Promise<void> => {
      await store(models, rows)
      for (const { model, where } of filters) {
        const expected = rows[model].filter(row => passes(model, row, where, rows)).map(({ id }: Row) => id)
        const Model = models[model]
        for (const options of [{}, remoteOptions({})]) {
          const found = await findOrRefuse(Model, where, options)
          if (found === undefined) continue
          const ids = found.map(({ id }: Row) => id)
          if (JSON.stringify(ids) !== JSON.stringify(expected)) {
            throw new Error(`${model} ${JSON.stringify(where)}: ${JSON.stringify(ids)}, and not ${JSON.stringify(expected)}`)
          }
        }
        const count = await Model.count(where)
        if (count !== expected.length) throw new Error(`count ${model} ${JSON.stringify(where)}: ${String(count)}`)
      }
    }
    const filters = fc.array(asked, { minLength: perRows, maxLength: perRows })
    await fc.assert(fc.asyncProperty(someRows, filters, check), { numRuns: Math.ceil(conditions / perRows) })
    t.pass(`${String(conditions)} conditions`)

    await t.test('counts of related rows', async t => {
      const names = Object.keys(ways.Order ?? {})
      const counted = fc.record({
        rows: someRows,
        includes: fc.tuple(...names.map(relation => {
          const { to, isEmbedded } = targetOf('Order', relation)
          // Of embedded rows no other rows are asked.
          return fc.option(someWhere(to, isEmbedded ? 0 : 1), { nil: undefined }).map(where => ({ relation, where }))
        }))
      })
      await fc.assert(fc.asyncProperty(counted, async ({ rows, includes }) => {
        await store(models, rows)
        const include = includes.map(({ relation, where }) =>
          ({ relation, count: true, ...(where === undefined ? {} : { scope: { where } }) }))
        for (const options of [{}, remoteOptions({})]) {
          const found = (await models.Order.find({ include }, options))
            .map((each: Loose) => each.toJSON())
          for (const [at, row] of rows.Order.entries()) {
            for (const { relation, where = {} } of includes) {
              const all = related('Order', row, relation, where, rows)
              const expected = { count: targetOf('Order', relation).isList ? all : Math.min(all, 1) }
              if (JSON.stringify(found[at][relation]) !== JSON.stringify(expected)) {
                throw new Error(`${relation} ${JSON.stringify(where)}: ${JSON.stringify(found[at][relation])}, and not ${JSON.stringify(expected)}`)
              }
            }
          }
        }
      }), { numRuns: Math.ceil(conditions / 40) })
      t.pass()
    })

    await t.test('orders by related rows', { timeout: 0 }, async t => {
      const asked = fc.record({
        rows: someRows,
        orders: fc.array(fc.oneof(...ordered.map(model => someOrder(model).map(order => ({ model, order })))), {
          minLength: perRows, maxLength: perRows
        }),
        limit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        skip: fc.integer({ min: 0, max: 2 })
      })
      await fc.assert(fc.asyncProperty(asked, async ({ rows, orders, limit, skip }) => {
        await store(models, rows)
        for (const { model, order } of orders) {
          const expected = inOrder(model, order, rows).map(({ id }) => id)
            .slice(limit === undefined ? 0 : skip, limit === undefined ? undefined : skip + limit)
          const filter = { order, fields: ['id'], ...(limit === undefined ? {} : { limit, skip }) }
          for (const options of [{}, remoteOptions({})]) {
            const found = (await models[model].find(filter, options)).map(({ id }: Row) => id)
            if (JSON.stringify(found) !== JSON.stringify(expected)) {
              throw new Error(`${model} ${JSON.stringify(filter)}: ${JSON.stringify(found)}, and not ${JSON.stringify(expected)}`)
            }
          }
        }
      }), { numRuns: Math.ceil(conditions / perRows) })
      t.pass()
    })

    await t.test('updates and deletes', async t => {
      const few = fc.record({ rows: someRows, where: someWhere('Order', 2), model: fc.constant('Order' as const) })
      await fc.assert(fc.asyncProperty(few, async ({ rows, where, model }) => {
        await store(models, rows)
        const fitting = rows[model].filter(row => passes(model, row, where, rows)).map(({ id }: Row) => id)
        const { count } = await models[model].updateAll(where, { status: 'changed' })
        const changed = await models[model].find({ where: { status: 'changed' } })
        if (count !== fitting.length || JSON.stringify(changed.map(({ id }: Row) => id)) !== JSON.stringify(fitting)) {
          throw new Error(`updateAll ${JSON.stringify(where)}: ${JSON.stringify(changed.map(({ id }: Row) => id))}`)
        }
        await store(models, rows)
        await models[model].destroyAll(where)
        const left = await models[model].find({})
        const staying = rows[model].map(({ id }: Row) => id).filter(id => !fitting.includes(id))
        if (JSON.stringify(left.map(({ id }: Row) => id)) !== JSON.stringify(staying)) {
          throw new Error(`destroyAll ${JSON.stringify(where)}: ${JSON.stringify(left.map(({ id }: Row) => id))}`)
        }
      }), { numRuns: Math.ceil(conditions / 40) })
      t.pass()
    })
    await opened.done?.()
  })
}
