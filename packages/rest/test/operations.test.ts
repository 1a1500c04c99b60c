import t from 'tap'
import type { FastifyInstance } from 'fastify'
import { call, makeApp, note } from './app.js'

/* Every built-in operation, straight to the data and with a hook in between: the answers must be the same. */
for (const hooked of [false, true]) {
  t.test(hooked ? 'built-in operations with a remote hook in between' : 'built-in operations', async t => {
    let seen = 0
    const app = await makeApp(t, {
      definitions: [note],
      async prepare ({ Note }) {
        if (hooked) {
          (Note as any).beforeRemote('**', async () => {
            seen++
          })
        }
        await (Note as any).create([
          { title: 'one', size: 1, secret: 's1' },
          { title: 'two', size: 2, secret: 's2' }
        ])
      }
    })

    t.match(await call(app, 'GET', '/Notes'), {
      status: 200,
      body: [{ title: 'one', size: 1, done: false, id: 1, secret: undefined }, { id: 2 }]
    })
    t.match(await call(app, 'GET', '/Notes?filter={"where":{"size":{"gt":1}},"fields":["title"]}'), {
      status: 200,
      body: [{ title: 'two' }]
    })
    t.match(await call(app, 'GET', '/Notes/1'), {
      status: 200,
      body: { title: 'one', id: 1 },
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' }
    })
    t.match(await call(app, 'GET', '/notes/1/'), { status: 200 })
    t.match(await call(app, 'GET', '/Notes/99'), {
      status: 404,
      body: { error: { statusCode: 404, name: 'Error', code: 'MODEL_NOT_FOUND', message: 'Unknown "Note" id "99".' } }
    })
    t.match(await call(app, 'GET', '/Notes/%7B%22neq%22%3A0%7D'), { status: 404 })
    t.match(await call(app, 'GET', '/Notes/findOne?filter[where][size]=2'), { status: 200, body: { id: 2 } })
    t.match(await call(app, 'GET', '/Notes/findOne?filter[where][size]=9'), {
      status: 404,
      body: { error: { code: 'MODEL_NOT_FOUND' } }
    })
    t.strictSame((await call(app, 'GET', '/Notes/count')).body, { count: 2 })
    t.strictSame((await call(app, 'GET', '/Notes/count?where[size]=1')).body, { count: 1 })
    t.strictSame((await call(app, 'GET', '/Notes/1/exists')).body, { exists: true })
    t.match(await call(app, 'HEAD', '/Notes/1'), { status: 200, body: '' })
    t.match(await call(app, 'HEAD', '/Notes/99'), { status: 404, body: '' })

    t.match(await call(app, 'POST', '/Notes', { title: 'three' }), {
      status: 200,
      body: { title: 'three', done: false, id: 3 }
    })
    t.match(await call(app, 'POST', '/Notes', [{ title: 'four' }, { title: 'five' }]), {
      status: 200,
      body: [{ id: 4 }, { id: 5 }]
    })
    t.match(await call(app, 'POST', '/Notes', []), { status: 200, body: [] })
    t.match(
      await call(app, 'POST', '/Notes', 'title=six&size=6', { 'content-type': 'application/x-www-form-urlencoded' }),
      { status: 200, body: { title: 'six', size: 6, id: 6 } }
    )
    t.match(await call(app, 'POST', '/Notes', { title: 7 }), {
      status: 422,
      body: {
        error: { code: 'VALIDATION_FAILED', details: [{ path: '.title', code: 'type', info: { type: 'string' } }] }
      }
    })
    t.match(await call(app, 'POST', '/Notes', [{ title: 'x' }, { title: 'y', size: 'big' }]), {
      status: 422,
      body: { error: { details: [{ path: '[1].size', code: 'type' }] } }
    })
    t.match(await call(app, 'POST', '/Notes', {}), {
      status: 422,
      body: { error: { details: [{ code: 'required' }] } }
    })

    t.match(await call(app, 'PATCH', '/Notes/1', { size: 10 }), {
      status: 200,
      body: { title: 'one', size: 10, id: 1 }
    })
    t.match(await call(app, 'PATCH', '/Notes/99', { size: 10 }), {
      status: 404,
      body: { error: { code: 'MODEL_NOT_FOUND', message: 'could not find a model with id 99' } }
    })
    t.match(await call(app, 'PATCH', '/Notes/1', [{ size: 1 }]), {
      status: 400,
      body: { error: { message: 'Value is not an object.' } }
    })
    t.match(await call(app, 'PATCH', '/Notes', { id: 2, size: 20 }), {
      status: 200,
      body: { title: 'two', size: 20, id: 2 }
    })
    t.match(await call(app, 'PUT', '/Notes/1', { title: 'replaced' }), {
      status: 200,
      body: { title: 'replaced', id: 1, size: undefined }
    })
    t.match(await call(app, 'POST', '/Notes/1/replace', { title: 'again' }), { status: 200, body: { title: 'again' } })
    t.match(await call(app, 'PUT', '/Notes', { id: 2, title: 'whole' }), {
      status: 200,
      body: { title: 'whole', id: 2, size: undefined }
    })
    t.match(await call(app, 'POST', '/Notes/upsertWithWhere?where[title]=whole', { title: 'whole', size: 3 }), {
      status: 200,
      body: { id: 2, size: 3 }
    })
    t.match(await call(app, 'POST', '/Notes/update?where[size]=3', { done: true }), { status: 200, body: { count: 1 } })
    t.match(
      await call(app, 'POST', '/Notes/update', { done: true }),
      { status: 400, body: { error: { code: 'MISSING_REQUIRED_PARAMETER' } } },
      'no condition is not all rows'
    )
    t.match(await call(app, 'DELETE', '/Notes/3'), { status: 200, body: { count: 1 } })
    t.match(await call(app, 'DELETE', '/Notes/3'), { status: 200, body: { count: 0 } })

    for (const where of ['{"secret":"s1"}', '{"or":[{"secret":"s1"}]}']) {
      t.match(await call(app, 'GET', `/Notes/count?where=${encodeURIComponent(where)}`), {
        status: 400,
        body: { error: { code: 'HIDDEN_PROPERTY_IN_QUERY' } }
      })
    }
    t.match(await call(app, 'GET', '/Notes?filter={"limit":-1}'), {
      status: 400,
      body: { error: { message: 'The limit parameter -1 is not valid' } }
    })
    t.equal(seen > 0, hooked)
  })
}

t.test('a filter comes from the query alone', async t => {
  const app = await makeApp(t, {
    definitions: [note],
    prepare: async ({ Note }) => {
      await (Note as any).create([{ title: 'a' }, { title: 'b' }])
    }
  })
  t.equal((await call(app, 'GET', '/Notes', undefined, { filter: '{"limit":1}' })).body.length, 2)
})

t.test('operations that the application replaces, and hooks that come after the start', async t => {
  const app = await makeApp(t, {
    definitions: [note],
    prepare: async ({ Note }) => {
      await (Note as any).create({ title: 'a' })
    }
  })
  const Note = app.models.Note as any
  t.match((await call(app, 'GET', '/Notes/count')).body, { count: 1 })
  Note.count = async () => 42
  t.match((await call(app, 'GET', '/Notes/count')).body, { count: 42 })
  delete Note.count
  t.match((await call(app, 'GET', '/Notes/count')).body, { count: 1 })

  Note.afterRemote('findById', async (ctx: any) => {
    ctx.result.title = 'seen'
  })
  t.match((await call(app, 'GET', '/Notes/1')).body, { title: 'seen' })
  Note.observe('loaded', async (ctx: any) => {
    ctx.data.size = 5
  })
  t.match((await call(app, 'GET', '/Notes/1')).body, { title: 'seen', size: 5 })
  app.registry.remoteHooks.push({
    moment: 'before',
    pattern: 'Note.count',
    listener: (_ctx: any, next: any) => {
      next(Object.assign(new Error('no'), { statusCode: 418 }))
    }
  })
  t.equal((await call(app, 'GET', '/Notes/count')).status, 418)
})

t.test('required properties that a hook fills in', async t => {
  const app = await makeApp(t, {
    definitions: [
      {
        name: 'Slug',
        properties: { title: { type: 'string', required: true }, slug: { type: 'string', required: true } }
      }
    ],
    prepare ({ Slug }) {
      ;(Slug as any).observe('before save', async (ctx: any) => {
        if (ctx.instance?.title !== undefined) ctx.instance.slug = ctx.instance.title.toLowerCase()
      })
    }
  })
  t.match(await call(app, 'POST', '/Slugs', { title: 'Hello' }), { status: 200, body: { slug: 'hello' } })
  t.match(await call(app, 'POST', '/Slugs', {}), {
    status: 422,
    body: { error: { code: 'VALIDATION_FAILED', details: [{ code: 'required' }, { code: 'required' }] } }
  })
})

const status = async (
  app: FastifyInstance,
  payload: unknown,
  url = '/Docs/1',
  method: 'PATCH' | 'POST' = 'PATCH'
): Promise<number> => (await call(app, method, url, payload)).status

t.test('models with JSON Schema keywords: no body and lists are refused as LoopBack 4 does', async t => {
  const app = await makeApp(t, {
    definitions: [
      { name: 'Doc', properties: { name: { type: 'string', required: true, jsonSchema: { minLength: 2 } } } }
    ],
    prepare: async ({ Doc }) => {
      await (Doc as any).create({ name: 'first' })
    }
  })
  t.equal(await status(app, undefined), 400)
  t.equal(await status(app, undefined, '/Docs', 'POST'), 400)
  t.equal(await status(app, [{ name: 'xx' }]), 422)
  t.equal(await status(app, { name: 'x' }), 422)
  t.equal(await status(app, {}), 200)
})
