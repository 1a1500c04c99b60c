import t from 'tap'
import type { ModelClass } from '@fastback/core'
import { call, makeApp, note } from './app.js'

const withNotes = async ({ Note }: Record<string, ModelClass>): Promise<any> => {
  await (Note as any).create([{ title: 'one' }, { title: 'two' }])
  return Note
}

t.test('order of remote hooks', async t => {
  const seen: string[] = []
  const mark = (word: string) => (_ctx: any, _unused: any, next: any): void => { seen.push(word); next() }
  const app = await makeApp(t, {
    definitions: [{ name: 'Base', properties: { title: 'string' } }, { ...note, base: 'Base' }],
    async prepare (models, server) {
      const Note = await withNotes(models)
      for (const pattern of [
        '**',
        '*',
        'prototype.*',
        'find',
        'updateAttributes',
        'prototype.updateAttributes',
        '*.patchAttributes'
      ]) { Note.beforeRemote(pattern, mark(pattern)) }
      Note.afterRemote('**', mark('after **'))
      Note.afterRemote('find', mark('after find'))
      ;(models.Base as any).beforeRemote('find', mark('base'))
      server.registry.remoteHooks.push({
        moment: 'before',
        pattern: '**',
        listener: (_ctx, next) => {
          seen.push('application')
          next()
        }
      })
    }
  })
  const sequence = async (method: Parameters<typeof call>[1], url: string, payload?: unknown): Promise<string[]> => {
    seen.length = 0
    await call(app, method, url, payload)
    return [...seen]
  }
  t.strictSame(await sequence('GET', '/Notes'), ['base', 'find', '*', '**', 'application', 'after find', 'after **'])
  t.strictSame(await sequence('GET', '/Notes/count'), ['*', '**', 'application', 'after **'])
  t.strictSame(
    await sequence('PATCH', '/Notes/1', { size: 1 }),
    ['prototype.updateAttributes', 'prototype.*', '*.patchAttributes', '**', 'application', 'after **'],
    'aliases count as names'
  )
  t.strictSame(await sequence('GET', '/Bases'), ['base', 'application'])
})

t.test('hooks change arguments, results, headers and statuses', async t => {
  const app = await makeApp(t, {
    definitions: [note],
    async prepare (models) {
      const Note = await withNotes(models)
      Note.beforeRemote('create', (ctx: any, _unused: any, next: any) => {
        ctx.args.data.title = ctx.req.get('x-title') ?? 'untitled'
        next()
      })
      Note.beforeRemote('findById', async (ctx: any) => { ctx.args.filter = { fields: ['title'] } })
      Note.afterRemote('find', (ctx: any, result: any[], next: any) => {
        ctx.result = { items: result, total: result.length }
        next()
      })
      Note.afterRemote('prototype.patchAttributes', async (ctx: any) => {
        ctx.res.status(202).set('x-instance', `${ctx.instance.id} ${ctx.methodString}`)
      })
      Note.afterRemote('count', async (ctx: any) => { ctx.result = undefined })
    }
  })
  t.match(await call(app, 'POST', '/Notes', { title: 'forged' }, { 'x-title': 'mine' }), {
    status: 200,
    body: { title: 'mine' }
  })
  t.match(await call(app, 'POST', '/Notes', { title: 'x' }), { body: { title: 'untitled' } })
  t.strictSame((await call(app, 'GET', '/Notes/1')).body, { title: 'one' })
  t.match((await call(app, 'GET', '/Notes')).body, { items: [{ title: 'one' }, {}, {}, {}], total: 4 })
  t.match(await call(app, 'PATCH', '/Notes/1', { size: 2 }), {
    status: 202,
    headers: { 'x-instance': '1 Note.prototype.patchAttributes' }
  })
  t.equal((await call(app, 'GET', '/Notes/count')).status, 204)
})

t.test('hooks refuse; error hooks see and translate errors', async t => {
  const errors: string[] = []
  const app = await makeApp(t, {
    definitions: [note],
    async prepare (models) {
      const Note = await withNotes(models)
      Note.beforeRemote('find', async () => {
        throw Object.assign(new Error('refused'), { statusCode: 403, code: 'REFUSED' })
      })
      Note.beforeRemote('deleteById', (_ctx: any, _unused: any, next: any) => {
        next(Object.assign(new Error('stays'), { statusCode: 409 }))
      })
      Note.afterRemoteError('**', (ctx: any, next: any) => {
        errors.push(ctx.error.message)
        ctx.error.code = 'SEEN'
        next()
      })
      Note.afterRemoteError('prototype.break', (_ctx: any, next: any) => {
        next(Object.assign(new Error('translated'), { statusCode: 422 }))
      })
      Note.prototype.break = async () => { throw new Error('inner') }
      Note.remoteMethod('prototype.break', { http: { verb: 'post', path: '/break' } })
    }
  })
  t.match(await call(app, 'GET', '/Notes'), { status: 403, body: { error: { code: 'SEEN' } } })
  t.match(await call(app, 'DELETE', '/Notes/1'), { status: 409 })
  t.match(await call(app, 'POST', '/Notes/1/break'), { status: 422, body: { error: { message: 'translated' } } })
  t.match(
    await call(app, 'POST', '/Notes/9/break'),
    { status: 422 },
    'the row that is not there is an error to translate, too'
  )
  t.match(await call(app, 'GET', '/Notes/9'), { status: 404, body: { error: { code: 'MODEL_NOT_FOUND' } } })
  t.match(await call(app, 'GET', '/Notes/count?where={'), {
    status: 400,
    body: { error: { code: 'INVALID_PARAMETER_VALUE' } }
  })
  t.strictSame(errors, ['refused', 'stays'], 'faults of arguments and a read that finds nothing are not theirs')
})

t.test('a hook that sees a read find nothing', async t => {
  let result: unknown = 'unset'
  const app = await makeApp(t, {
    definitions: [note],
    prepare ({ Note }) { (Note as any).afterRemote('findById', async (ctx: any) => { result = ctx.result }) }
  })
  t.equal((await call(app, 'GET', '/Notes/1')).status, 404)
  t.equal(result, null)
})

t.test('options that the application makes, and functions of `rest`', async t => {
  const seen: unknown[] = []
  const app = await makeApp(t, {
    definitions: [note],
    async prepare (models) {
      const Note = await withNotes(models)
      Note.createOptionsFromRemotingContext = (ctx: any) => ({
        tenant: ctx.req.get('x-tenant'),
        prohibitHiddenPropertiesInQuery: false
      })
      Note.observe('access', async (ctx: any) => { seen.push(ctx.options.tenant) })
      Note.hello = async () => 'hello'
      Note.remoteMethod('hello', {
        returns: { arg: 'word' },
        http: { verb: 'get', path: '/hello' },
        rest: {
          before: (ctx: any, next: any) => { seen.push('before'); next() },
          after: async (ctx: any) => { ctx.result.word += '!' }
        }
      })
    }
  })
  await call(app, 'GET', '/Notes', undefined, { 'x-tenant': 'a' })
  t.strictSame(seen, ['a'])
  t.equal(
    (await call(app, 'GET', '/Notes/count?where[secret]=1')).status,
    400,
    'no application can lift the limits for requests from outside'
  )
  t.strictSame((await call(app, 'GET', '/Notes/hello')).body, { word: 'hello!' })
  t.strictSame(seen, ['a', 'before'])
})

t.test('LoopBack takes remote hooks for their model alone: inheritRemoteHooks', async t => {
  for (const inheritRemoteHooks of [undefined, true, false]) {
    const seen: string[] = []
    const app = await makeApp(t, {
      definitions: [{ name: 'Base', properties: { title: 'string' } }, { ...note, base: 'Base' }],
      settings: inheritRemoteHooks === undefined ? {} : { inheritRemoteHooks },
      async prepare (models) {
        for (const name of ['Base', 'Note']) {
          (models[name] as any).beforeRemote('find', async () => { seen.push(name) })
        }
      }
    })
    await call(app, 'GET', '/Notes')
    t.strictSame(seen, inheritRemoteHooks === false ? ['Note'] : ['Base', 'Note'])
    seen.length = 0
    await call(app, 'GET', '/Bases')
    t.strictSame(seen, ['Base'])
  }
})

t.test('a toJSON of the application says what clients get, by every way', async t => {
  const app = await makeApp(t, {
    definitions: [
      { ...note, relations: { parent: { type: 'belongsTo', model: 'Note' }, parts: { type: 'hasMany', model: 'Note', foreignKey: 'parentId' } } }
    ],
    async prepare (models) {
      const Note = await withNotes(models)
      await Note.updateAll({ title: 'two' }, { parentId: 1 })
      Note.prototype.toJSON = function () { return { ...this.toObject(), own: true } }
    }
  })
  const asked = async (...args: any[]): Promise<any> => (await (call as any)(app, ...args)).body
  t.strictSame((await asked('GET', '/Notes')).map(({ own }: any) => own), [true, true])
  for (const url of ['/Notes/1', '/Notes/findOne', '/Notes/2/parent']) t.equal((await asked('GET', url)).own, true, url)
  t.strictSame((await asked('GET', '/Notes/1/parts')).map(({ own }: any) => own), [true])
  t.equal((await asked('POST', '/Notes', { title: 'three' })).own, true)
  t.equal((await asked('PATCH', '/Notes/1', { title: 'one' })).own, true)
  t.equal((await asked('PUT', '/Notes/1', { title: 'one' })).own, true)
})

t.test('what hooks put on results of a strict model is in the answer', async t => {
  const app = await makeApp(t, {
    definitions: [{ ...note, strict: true } as typeof note],
    async prepare (models) {
      const Note = await withNotes(models)
      const mark = (each: any): void => { each.seen = true }
      Note.afterRemote('findById', async (ctx: any) => { mark(ctx.result) })
      Note.afterRemote('find', async (ctx: any) => { ctx.result.forEach(mark) })
      Note.afterRemote('create', async (ctx: any) => { mark(ctx.result) })
    }
  })
  t.strictSame((await call(app, 'GET', '/Notes/1')).body, { title: 'one', done: false, id: 1, seen: true })
  t.match((await call(app, 'GET', '/Notes')).body, [{ id: 1, seen: true }, { id: 2, seen: true }])
  t.match((await call(app, 'POST', '/Notes', { title: 'three' })).body, { id: 3, seen: true })
  t.match(await call(app, 'POST', '/Notes', { title: 'four', seen: true }), { status: 422 })
  t.equal((await call(app, 'GET', '/Notes/findOne')).body.seen, undefined)
})

t.test('PATCH and PUT without an id call a create of the application\'s own', async t => {
  const app = await makeApp(t, {
    definitions: [note],
    async prepare ({ Note }) {
      const { create } = Note as any
      ;(Note as any).create = function (data: any, ...rest: any[]) {
        return create.call(this, { ...data, title: `own ${data.title}` }, ...rest)
      }
    }
  })
  t.match((await call(app, 'PATCH', '/Notes', { title: 'a' })).body, { id: 1, title: 'own a' })
  t.match((await call(app, 'PUT', '/Notes', { title: 'b' })).body, { id: 2, title: 'own b' })
  t.match((await call(app, 'PATCH', '/Notes', { id: 2, title: 'c' })).body, { id: 2, title: 'c' })
})
