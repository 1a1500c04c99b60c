/** Lists as NDJSON and CSV: the rows that JSON has, whatever stands around them. */
import t, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { makeApp, note, type AppParts } from './app.js'

type Loose = any

const ndjson = 'application/x-ndjson'
const csv = 'text/csv'

const author = {
  name: 'Author', properties: { name: 'string' }, relations: { notes: { type: 'hasMany' as const, model: 'Note' } }
}
const related = {
  ...note, protected: ['size'], relations: { author: { type: 'belongsTo' as const, model: 'Author' } }
}

interface Got { status: number, type: unknown, vary: unknown, body: string, headers: Record<string, unknown> }

async function get (
  app: FastifyInstance, url: string, accept: string, more: Record<string, string> = {}
): Promise<Got> {
  const { statusCode: status, headers, body } = await app.inject({ url: `/api${url}`, headers: { accept, ...more } })
  return { status, type: headers['content-type'], vary: headers.vary, body, headers }
}

const list = (filter: object, path = '/Notes'): string => `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`
const linesOf = (body: string): unknown[] => body.split('\n').slice(0, -1).map(line => JSON.parse(line) as unknown)

async function notes (t: Test, parts: Partial<AppParts> = {}, count = 10): Promise<FastifyInstance> {
  return await makeApp(t, {
    definitions: [author, related],
    options: { streaming: { pageSize: 3 } },
    ...parts,
    async prepare (models: Loose, app) {
      await models.Author.create([{ name: 'Ann' }, { name: 'Bo' }])
      await models.Note.create(Array.from({ length: count }, (_, i) => ({
        title: i % 2 === 0 ? `=t${i}` : `t,${i}`,
        size: [null, -1, 2][i % 3],
        at: new Date(1e12 + i),
        tags: ['a', 'b'],
        secret: 'hush',
        authorId: 1 + i % 2
      })))
      await parts.prepare?.(models, app)
    }
  })
}

/** Both formats, and the rows that JSON has. */
async function agrees (t: Test, app: FastifyInstance, url: string): Promise<unknown[]> {
  const json = JSON.parse((await get(app, url, 'application/json')).body) as unknown[]
  const lines = await get(app, url, ndjson)
  t.equal(lines.status, 200, url)
  t.strictSame(linesOf(lines.body), json, url)
  const cells = await get(app, url, csv)
  t.equal(cells.body.split('\r\n').length - 2, json.length, `as many lines: ${url}`)
  t.notMatch(lines.body + cells.body, /hush|secret/)
  return json
}

t.test('the rows of JSON, in the same order', async t => {
  const app = await notes(t)
  for (const filter of [
    {}, { order: 'size DESC' }, { order: ['size', 'title DESC'] }, { order: 'id DESC' }, { order: 'at DESC', limit: 7 },
    { where: { size: 2 } }, { where: { size: 99 } }, { limit: 4, skip: 3 }, { limit: 3, skip: 2, order: 'size' },
    { limit: 3 }, { fields: ['title'] }, { fields: { at: false }, order: 'at' }, { order: 'tags' }, { skip: 2 }
  ]) await agrees(t, app, list(filter))
  t.equal((await agrees(t, app, list({ fields: ['title'] }, '/Authors/1/notes'))).length, 5)
  const protectedSize = await agrees(t, app, list({ order: 'size' }, '/Authors/2/notes'))
  t.equal(JSON.stringify(protectedSize).includes('size'), false, 'protected properties are not shown through relations')
  t.notMatch((await get(app, '/Authors/2/notes', csv)).body, /size/)
})

t.test('CSV: a header, columns of the definition, cells without formulas', async t => {
  const app = await notes(t, {}, 2)
  const { body, type, vary } = await get(app, '/Notes', csv)
  t.equal(body, [
    'title,size,done,at,tags,id,authorId',
    '\'=t0,,false,2001-09-09T01:46:40.000Z,"[""a"",""b""]",1,1',
    '"t,1",-1,false,2001-09-09T01:46:40.001Z,"[""a"",""b""]",2,2',
    ''
  ].join('\r\n'))
  t.equal(type, 'text/csv; charset=utf-8; header=present')
  t.equal(vary, 'Accept')
  t.equal((await get(app, list({ fields: ['id', 'title'], limit: 1 }), csv)).body, "title,id\r\n'=t0,1\r\n")
  t.equal((await get(app, '/Notes?_format=csv', '*/*')).type, type)
  const json = await get(app, '/Notes', '*/*')
  t.match(json, { type: /^application\/json/, vary: 'Accept' }, 'JSON to who says nothing')
})

t.test('included rows are in NDJSON; CSV has no place for them', async t => {
  const app = await notes(t)
  const url = list({ include: 'author', order: 'title', fields: ['title'] })
  const json = (await get(app, url, 'application/json')).body
  t.strictSame(linesOf((await get(app, url, ndjson)).body), JSON.parse(json))
  const refused = await get(app, url, csv)
  t.match(refused, { status: 400, type: /^application\/json/ })
  t.match(JSON.parse(refused.body), { error: { code: 'INCLUDE_IN_CSV' } })
  t.equal((await get(app, list({ include: [], limit: 1 }), csv)).status, 200)
})

t.test('default scopes, hooks of access and loaded', async t => {
  let asked = 0
  const app = await notes(t, {
    definitions: [author, { ...related, scope: { where: { size: { neq: 2 } }, include: 'author', order: 'title' } }],
    prepare ({ Note }: Loose) {
      Note.observe('access', async (ctx: { query: { where?: object } }) => {
        asked++
        ctx.query.where = { and: [ctx.query.where ?? {}, { id: { gt: 1 } }] }
      })
      // What a page goes on behind is the row of the store, and not what a hook makes of it.
      Note.observe('loaded', async (ctx: { data: { id?: number, title?: string } }) => {
        ctx.data.title = `seen ${ctx.data.title ?? ''}`
        ctx.data.id = 7
      })
    }
  })
  const [first] = await agrees(t, app, '/Notes')
  t.match(first, { title: 'seen =t4', id: 7, author: { name: 'Ann' } })
  asked = 0
  await get(app, '/Notes', ndjson)
  t.equal(asked, 1, 'one query, however many pages')
})

t.test('what stands around the method', async t => {
  const seen: unknown[] = []
  const before = await notes(t, {
    prepare ({ Note }: Loose) {
      Note.beforeRemote('find', async (ctx: { args: { filter?: object } }) => { ctx.args.filter = { where: { id: 2 } } })
    }
  })
  t.match(linesOf((await get(before, '/Notes', ndjson)).body), [{ id: 2 }], 'hooks before it change the filter')
  const after = await notes(t, {
    prepare ({ Note }: Loose) {
      Note.afterRemote('find', async (ctx: { result: Array<{ title: string }> }) => {
        seen.push(ctx.result.length)
        ctx.result = ctx.result.slice(0, 2)
      })
    }
  })
  t.equal((await agrees(t, after, '/Notes')).length, 2)
  t.strictSame(seen, [10, 10, 10], 'hooks after it have the whole list')
  const another = await notes(t, {
    prepare ({ Note }: Loose) { Note.afterRemote('find', async (ctx: { result: unknown }) => { ctx.result = { none: true } }) }
  })
  t.match(JSON.parse((await get(another, '/Notes', csv)).body), { error: { statusCode: 406, code: 'NOT_A_LIST' } })
  const own = await notes(t, {
    prepare ({ Note }: Loose) {
      if (Note !== undefined) Note.find = (async () => [new Note({ title: 'own', secret: 'hush' })]) as never
    }
  })
  t.match(await agrees(t, own, '/Notes'), [{ title: 'own' }])
  t.match(await agrees(t, own, '/Authors/1/notes'), [{ title: 'own' }])
})

t.test('off unless it is said; models may say otherwise', async t => {
  const off = await notes(t, { options: {} })
  t.match(await get(off, '/Notes', csv), { status: 406 })
  t.match(await get(off, '/Notes', ndjson), { status: 406 })
  t.equal((await get(off, '/Notes', '*/*')).vary, undefined)
  const supported = await notes(t, { options: { remoting: { rest: { supportedTypes: ['json', 'text/csv'] } } } })
  t.equal((await get(supported, '/Notes', csv)).status, 406)
  const settings = (streaming: unknown) => [author, { ...related, settings: { streaming } }]
  const one = await notes(t, { options: {}, definitions: settings({ rows: 10 }) })
  t.equal((await get(one, '/Notes', csv)).status, 200)
  t.equal((await get(one, '/Authors/1/notes', csv)).status, 200, 'the model of the rows says it')
  t.equal((await get(one, '/Authors', csv)).status, 406)
  const none = await notes(t, { definitions: settings(false) })
  t.equal((await get(none, '/Notes', csv)).status, 406)
  t.equal((await get(none, '/Authors', csv)).status, 200)
  t.equal((await get(none, '/Authors/count', csv)).status, 406, 'no list')
  t.equal((await get(none, '/Authors/1', csv)).status, 406, 'no list')
  t.equal((await get(await notes(t, { options: { remoting: { rest: { streaming: true } } } }), '/Notes', csv)).status, 200)
})

t.test('errors and limits before the first row are JSON', async t => {
  const app = await notes(t, { options: { streaming: { rows: 5, pageSize: 3 } } })
  const refused = await get(app, list({ where: { secret: 'hush' } }), csv)
  t.match(refused, { status: 400, type: /^application\/json/, body: /HIDDEN_PROPERTY_IN_QUERY/ })
  t.equal((await get(app, list({ limit: 5 }), csv)).status, 200)
  t.match(await get(app, '/Notes', ndjson), { status: 400, type: /^application\/json/, body: /"limit":"rows","most":5/ },
    'also a limit that the second page meets, before anything has gone out')
  const small = await notes(t, { options: { streaming: { rows: 2, pageSize: 3 } } })
  const tooMany = await get(small, '/Notes', csv)
  t.match(tooMany, { status: 400, type: /^application\/json/ })
  t.match(JSON.parse(tooMany.body), { error: { code: 'QUERY_TOO_EXPENSIVE', details: { limit: 'rows', most: 2 } } })
  const paged = await notes(t, { definitions: [author, { ...related, settings: { maxLimit: 4 } }] })
  t.match(await get(paged, '/Notes', csv), { status: 400, body: /QUERY_LIMIT_EXCEEDED/ }, 'maxLimit holds')
  const ordinary = await notes(t, { settings: { queryLimits: { rows: 4 } } })
  t.equal(linesOf((await get(ordinary, '/Notes', ndjson)).body).length, 10, 'more rows than an ordinary response has')
  t.match(await get(ordinary, list({ order: 'tags' }), ndjson), { status: 400, body: /QUERY_TOO_EXPENSIVE/ },
    'an order that is not continued is read at once')
  const slow = await notes(t, {
    options: { streaming: { seconds: 1 } },
    prepare ({ Note }: Loose) { Note.observe('loaded', async () => { await new Promise(resolve => setTimeout(resolve, 120)) }) }
  })
  t.match(await get(slow, '/Notes', csv), { status: 400, body: /"limit":"seconds","most":1/ })
})

t.test('pages that are too large for a response are read in parts', async t => {
  const app = await makeApp(t, {
    definitions: [author, note],
    options: { streaming: true },
    settings: { queryLimits: { bytes: 20_000 } },
    async prepare ({ Note }: Loose) {
      await Note.create(Array.from({ length: 300 }, (_, i) => ({ title: `${i} ${'x'.repeat(150)}` })))
    }
  })
  t.equal((await get(app, '/Notes', 'application/json')).status, 400)
  const { body } = await get(app, '/Notes', ndjson)
  t.strictSame(linesOf(body).map(row => (row as { id: number }).id), Array.from({ length: 300 }, (_, i) => i + 1))
})

t.test('HEAD, totals, and who may keep it', async t => {
  const app = await notes(t, { options: { streaming: { pageSize: 3 }, totalCount: 'asked' } })
  const head = await app.inject({ method: 'HEAD', url: '/api/Notes', headers: { accept: csv } })
  t.match(head, { statusCode: 200, body: '', headers: { 'content-type': /^text\/csv/, vary: /Accept/ } })
  const bad = await app.inject({ method: 'HEAD', url: '/api/Notes?filter[limit]=x', headers: { accept: csv } })
  t.equal(bad.statusCode, 400)
  const { headers } = await get(app, list({ where: { size: 2 }, limit: 2 }), csv, { prefer: 'count=exact' })
  t.match(headers, { 'x-total-count': '3', vary: 'Prefer, Accept', 'preference-applied': 'count=exact' })
  t.equal(headers['content-range'], undefined)
})
