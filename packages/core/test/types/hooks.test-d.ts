/**
 * What observers get, values that may be null, and dates. Checked by `tsc` alone (`npm run types`): every line below
 * fails to compile when a type is not what it should be.
 *
 * What no type can know: whether a text is a date (`'soon'` is refused when it is converted); whether `instance` or
 * `data` is there, which depends on the operation; what `hookState` has.
 */
import { Type } from '@sinclair/typebox'
import { defineModel, Property, type CallOptions, type ModelRegistry, type TypedHookContext } from '@fastback/core'
import { whenCommitted } from '@fastback/core/remote'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}
declare const registry: ModelRegistry

const Visit = defineModel({
  name: 'HooksVisit',
  properties: Type.Object({
    title: Type.String(),
    note: Type.Union([Type.String(), Type.Null()]),
    end: Type.Optional(Type.Union([Type.Date(), Type.Null()])),
    start: Type.Date(),
    made: Property(Type.Date(), { defaultFn: 'now' }),
    state: Type.Union([Type.Literal('open'), Type.Literal('done'), Type.Null()])
  }),
  relations: { owner: { type: 'belongsTo', model: 'HooksOwner', foreignKey: 'ownerId' } },
  methods: {
    finish: {
      accepts: Type.Object({ id: Type.Integer() }),
      async run ({ id }, ctx) {
        whenCommitted(ctx, () => { use(id) })
        return await this.findById(id)
      }
    }
  }
})
const Owner = defineModel({ name: 'HooksOwner', properties: { code: { type: 'string', id: true }, born: 'date', seen: { type: 'date', required: true } } })
declare module '@fastback/core' { interface ModelTypes { HooksVisit: typeof Visit, HooksOwner: typeof Owner } }
const Visits = registry.defineModel(Visit)
const Owners = registry.defineModel(Owner)

function observers (): void {
  Visits.observe('access', async ctx => {
    // There is a query; it may have no condition yet.
    ctx.query.where = { and: [{ title: 'x' }, { ownerId: 'a' }] }
    ctx.query.where = { ...ctx.query.where, state: 'open' }
    ctx.query.limit = 5
    ctx.query.order = ['title DESC']
    ctx.query.include = 'owner'
    const title = ctx.query.where?.title
    use(title, ctx.Model.modelName, ctx.options.accessToken)
    // @ts-expect-error no such property in a condition
    ctx.query.where = { titel: 'x' }
    // @ts-expect-error a value of another type
    ctx.query.where = { ownerId: 5 }
    // @ts-expect-error none of its values
    ctx.query.where = { state: 'opne' }
    // @ts-expect-error no such relation
    ctx.query.include = 'ownr'
    // @ts-expect-error a number
    ctx.query.limit = '5'
    whenCommitted(ctx, () => {})
  })
  Visits.observe('before save', async ctx => {
    expect<Equal<typeof ctx, TypedHookContext<typeof Visit>>>()
    expect<Equal<typeof ctx.options, CallOptions>>()
    if (ctx.data !== undefined) ctx.data.note = null
    if (ctx.instance !== undefined) ctx.instance.state = 'done'
    ctx.hookState.before = ctx.currentInstance?.title
    if (ctx.where !== undefined) ctx.where.title = { like: 'x%' }
    // @ts-expect-error a value of another type
    if (ctx.data !== undefined) ctx.data.title = 5
    // @ts-expect-error none of its values
    if (ctx.instance !== undefined) ctx.instance.state = 'opne'
    // @ts-expect-error no such property
    use(ctx.instance?.titel)
    // @ts-expect-error a text has no like of numbers
    if (ctx.where !== undefined) ctx.where.title = { like: 5 }
    // @ts-expect-error it is always there, and no other
    ctx.options = {}
  })
  Visits.observe('after save', async ctx => {
    whenCommitted(ctx, () => { use(ctx.instance?.id.toFixed(), ctx.isNewInstance) })
    // @ts-expect-error the context comes first
    whenCommitted(() => {}, ctx)
    // @ts-expect-error work is a function
    whenCommitted(ctx, ctx.instance?.save())
    // @ts-expect-error work is told nothing
    whenCommitted(ctx, (done: () => void) => { done() })
  })
  Visits.observe('after delete', async ctx => { use(ctx.info?.count.toFixed()) })
  Visits.beforeRemote('finish', ctx => { whenCommitted(ctx, () => { use(ctx.args.id.toFixed()) }) })
  // @ts-expect-error no such hook
  Visits.observe('before sve', async () => {})
  // @ts-expect-error an observer is a function
  Visits.observe('before save', {})
}

/** A value that may be null must be said, unless it is optional. */
async function nulls (): Promise<void> {
  const visit = await Visits.create({ title: 'x', note: null, start: new Date(), state: null })
  expect<Equal<typeof visit.note, string | null>>()
  expect<Equal<typeof visit.end, Date | null | undefined>>()
  expect<Equal<typeof visit.state, 'open' | 'done' | null>>()
  await Visits.find({ where: { note: null, state: { inq: ['open', null] }, end: { neq: null } } })
  await Visits.updateAll({ note: 'x' }, { note: null, end: null })
  // @ts-expect-error it may be null, and is needed
  await Visits.create({ title: 'x', start: new Date(), state: null })
  // @ts-expect-error no null
  await Visits.create({ title: null, note: null, start: new Date(), state: 'open' })
  // @ts-expect-error none of its values
  await Visits.create({ title: 'x', note: null, start: new Date(), state: 'opne' })
  // @ts-expect-error it may be null
  use(visit.note.length)
}

/** A date takes what it converts: texts and milliseconds; a row has a date. */
async function dates (): Promise<void> {
  const visit = await Visits.create({ title: 'x', note: null, start: '2026-01-01', end: 1_700_000_000_000, state: 'open' })
  expect<Equal<typeof visit.start, Date>>()
  expect<Equal<typeof visit.made, Date>>()
  await Visits.create({ title: 'x', note: null, start: 1_700_000_000_000, made: '2026-01-01T00:00:00Z', state: 'open' })
  await visit.patchAttributes({ end: '2026-01-01', start: 5 })
  await Visits.find({ where: { start: { gt: '2026-01-01', lt: new Date() }, end: { between: [1, new Date()] } } })
  await Owners.create({ code: 'a', born: '1990-01-01', seen: 5 })
  await Owners.create({ code: 'a', born: null, seen: new Date() })
  // @ts-expect-error no date
  await Visits.create({ title: 'x', note: null, start: true, state: 'open' })
  // @ts-expect-error no date
  await visit.patchAttributes({ end: { year: 2026 } })
  // @ts-expect-error it is needed
  await Owners.create({ code: 'a', seen: null })
  // @ts-expect-error a date has no like
  await Visits.find({ where: { start: { like: '2026%' } } })
  // @ts-expect-error a row has a date
  use(visit.start.slice(0, 10))
  // @ts-expect-error what is set on a row is a date
  visit.start = '2026-01-01'
}
use(observers, nulls, dates)
