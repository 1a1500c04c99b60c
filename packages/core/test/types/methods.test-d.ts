/**
 * Remote methods of definitions, and hooks on them. Checked by `tsc` alone (`npm run types`): every line below fails to
 * compile when a type is not what it should be.
 */
import { Type } from '@sinclair/typebox'
import { defineModel, Property, type CallOptions, type ModelRegistry, type OperationOptions } from '@fastback/core'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}
declare const registry: ModelRegistry

const Task = defineModel({
  name: 'MethodsTask',
  properties: Type.Object({
    title: Type.String(),
    state: Property(Type.Union([Type.Literal('open'), Type.Literal('done')]), { default: 'open' })
  }),
  relations: { notes: { type: 'hasMany', model: 'MethodsNote', foreignKey: 'taskId' } },
  methods: {
    stats: {
      accepts: Type.Object({ since: Type.Date(), limit: Type.Optional(Type.Integer({ minimum: 1 })) }),
      returns: Type.Object({ open: Type.Integer(), first: Type.Optional(Type.String()) }),
      http: { verb: 'get', path: '/stats' },
      async run (args, ctx) {
        expect<Equal<typeof args, { limit?: number, since: Date }>>()
        expect<Equal<typeof ctx.options, CallOptions>>()
        const [first] = await this.find({ where: { state: 'open' }, limit: args.limit ?? 1 }, ctx.options)
        // @ts-expect-error no such property
        await this.find({ where: { stat: 'open' } })
        // @ts-expect-error no such value
        await this.find({ where: { state: 'opne' } })
        // Methods beside it are there.
        const { count } = await this.total()
        return first === undefined ? { open: count } : { open: count, first: first.title }
      }
    },
    total: {
      returns: Type.Object({ count: Type.Integer() }),
      async run () { return { count: await this.count() } }
    },
    'prototype.finish': {
      accepts: Type.Object({ reason: Type.String() }),
      returns: { arg: 'task', type: 'MethodsTask', root: true },
      async run ({ reason }, { options }) {
        expect<Equal<typeof this.state, 'open' | 'done'>>()
        await this.notes.create({ text: reason }, options)
        this.state = 'done'
        return await this.save(options)
      }
    },
    greet: {
      accepts: [
        { arg: 'name', type: 'string', required: true },
        { arg: 'times', type: 'number' },
        { arg: 'options', type: 'object', http: 'optionsFromRequest' }
      ],
      returns: { arg: 'greeting', type: 'string' },
      run (args) {
        expect<Equal<typeof args, { name: string, times?: number, options?: OperationOptions }>>()
        return `Hello ${args.name}`
      }
    },
    // Its function is written elsewhere.
    legacy: { accepts: { arg: 'id', type: 'number' }, returns: { arg: 'ok', type: 'boolean' }, http: { verb: 'post' } }
  }
})
const Note = defineModel({ name: 'MethodsNote', properties: Type.Object({ text: Type.String() }) })

declare module '@fastback/core' {
  interface ModelTypes { MethodsTask: typeof Task, MethodsNote: typeof Note }
}

const Tasks = registry.defineModel(Task)

async function calls (): Promise<void> {
  const stats = await Tasks.stats({ since: new Date() })
  expect<Equal<typeof stats, { first?: string, open: number }>>()
  expect<Equal<Awaited<ReturnType<typeof Tasks.total>>, { count: number }>>()
  expect<Equal<Awaited<ReturnType<typeof Tasks.greet>>, string>>()
  const task = await Tasks.create({ title: 'x' })
  const finished = await task.finish({ reason: 'done' }, { skipValidation: true })
  expect<Equal<typeof finished.state, 'open' | 'done'>>()
  // @ts-expect-error an argument is missing
  await Tasks.stats({ limit: 1 })
  // @ts-expect-error a value of another type
  await Tasks.stats({ since: 'yesterday' })
  // @ts-expect-error no such argument
  await Tasks.stats({ since: new Date(), until: new Date() })
  // @ts-expect-error an argument is missing
  await task.finish()
  // @ts-expect-error a method of instances
  use(Tasks.finish)
  // @ts-expect-error no such method: the model is closed
  use(Tasks.stat)
}

defineModel({
  name: 'MethodsWrong',
  properties: Type.Object({ title: Type.String() }),
  // @ts-expect-error another result than it says
  methods: {
    wrong: {
      accepts: Type.Object({ text: Type.String() }),
      returns: Type.Object({ count: Type.Integer() }),
      run ({ text }) { return { count: text } }
    }
  }
})

function hooks (): void {
  Tasks.beforeRemote('stats', ({ args, options }) => {
    expect<Equal<typeof args, { limit?: number, since: Date }>>()
    args.limit = Math.min(args.limit ?? 10, 10)
    use(options)
  })
  Tasks.afterRemote('stats', (ctx, result) => {
    expect<Equal<typeof result, { first?: string, open: number }>>()
    ctx.result = { open: result.open }
    // @ts-expect-error not its result
    ctx.result = { opne: 1 }
  })
  Tasks.beforeRemote('prototype.finish', ctx => { use(ctx.args.reason.length, ctx.instance.title.length) })
  Tasks.afterRemote('greet', ctx => { expect<Equal<typeof ctx.result, { greeting: string }>>() })
  Tasks.afterRemote('legacy', ctx => { expect<Equal<typeof ctx.result, { ok: boolean }>>() })
  Tasks.beforeRemote('create', ({ args }) => { for (const each of [args.data].flat()) each.title = each.title.trim() })
  Tasks.afterRemote('find', (_ctx, rows) => { use(rows[0]?.title.length) })
  Tasks.beforeRemote('prototype.patchAttributes', ctx => { use(ctx.args.data.title, ctx.instance.title) })
  Tasks.afterRemote('prototype.__create__notes', ctx => { use(ctx.args.data) })
  Tasks.afterRemote('upsert', ctx => { use(ctx.result.title.length) })
  Tasks.afterRemoteError('stats', ctx => { use(ctx.args.since.getTime(), ctx.error) })
  Tasks.beforeRemote('**', ctx => { use(ctx.args.anything) })
  Tasks.beforeRemote('prototype.*', ctx => { use(ctx.instance.title) })
  Tasks.disableRemoteMethodByName('deleteById')
  // @ts-expect-error no such method
  Tasks.beforeRemote('craete', () => {})
  // @ts-expect-error no such method
  Tasks.afterRemote('prototype.finsh', () => {})
  // @ts-expect-error no such relation
  Tasks.afterRemote('prototype.__create__ntes', () => {})
  // @ts-expect-error no such method
  Tasks.disableRemoteMethodByName('destroyByid')
  // A model that is not closed may have further methods.
  const Loose = registry.defineModel({ name: 'MethodsLoose', properties: { title: 'string' } })
  Loose.beforeRemote('publish', ctx => { use(ctx.args.anything) })
  Loose.publish = async () => {}
}

use(calls, hooks)
