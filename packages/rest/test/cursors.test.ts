/** Pages by cursors over HTTP: headers beside the list, in which form the filter may be sent, what is refused. */
import t, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { makeApp, note, type AppParts } from './app.js'

type Loose = any

const author = {
  name: 'Author', properties: { name: 'string' }, relations: { notes: { type: 'hasMany' as const, model: 'Note' } }
}
const related = {
  ...note, relations: { author: { type: 'belongsTo' as const, model: 'Author' } }
}

async function notes (t: Test, parts: Partial<AppParts> = {}): Promise<FastifyInstance> {
  return await makeApp(t, {
    definitions: [author, related],
    ...parts,
    async prepare (models: Loose, app) {
      await models.Author.create([{ name: 'Ann' }, { name: 'Bo' }])
      await models.Note.create(Array.from({ length: 7 }, (_, i) => ({
        title: `t${i}`, size: [null, -1, 2][i % 3], at: new Date(1e12 + i), secret: 'hush', authorId: 1 + i % 2
      })))
      await parts.prepare?.(models, app)
    }
  })
}

interface Page {
  readonly status: number
  readonly ids: unknown[]
  readonly rows: Array<Record<string, unknown>>
  readonly code: unknown
  readonly message: string
  readonly headers: Record<string, string | undefined>
}

async function get (app: FastifyInstance, url: string, headers: Record<string, string> = {}): Promise<Page> {
  const response = await app.inject({ url, headers })
  const body = response.json() as Loose
  return {
    status: response.statusCode,
    rows: body,
    ids: Array.isArray(body) ? body.map(({ id }) => id as unknown) : [],
    code: body.error?.code,
    message: body.error?.message,
    headers: response.headers as Page['headers']
  }
}

const list = (filter: object, path = '/Notes'): string => `/api${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`

const linkOf = ({ headers }: Page, rel: string): string | undefined =>
  new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.link ?? '')?.[1]

/** Pages by their links, as long as there is one. */
async function follow (app: FastifyInstance, url: string, rel: string): Promise<Page[]> {
  const pages: Page[] = []
  for (let next: string | undefined = url; next !== undefined && pages.length < 20;) {
    const page = await get(app, next)
    pages.push(page)
    next = linkOf(page, rel)
  }
  return pages
}

const parts: ReadonlyArray<readonly [string, Partial<AppParts>]> = [
  ['straight from the store', {}],
  ['with hooks around the method', {
    prepare ({ Note }: Loose) { Note.beforeRemote('find', async () => {}) }
  }]
]

for (const [name, part] of parts) {
  t.test(`headers of pages, ${name}`, async t => {
    const app = await notes(t, part)
    for (const url of [list({ order: 'size DESC', limit: 3, after: '' }), '/api/Notes?filter[order]=size%20DESC&filter[limit]=3&filter[after]=']) {
      const pages = await follow(app, url, 'next')
      t.strictSame(pages.map(({ ids }) => ids), [[3, 6, 2], [5, 1, 4], [7]], url)
      const [first, second, last] = pages as [Page, Page, Page]
      t.equal(first.headers['x-prev-cursor'], undefined)
      t.equal(last.headers['x-next-cursor'], undefined)
      t.match(second.headers['x-prev-cursor'], /^[\w-]+$/)
      t.equal(linkOf(second, 'next')?.includes(String(second.headers['x-next-cursor'])), true)
      t.match(first.headers['access-control-expose-headers'], /X-Next-Cursor, X-Prev-Cursor, Link/)
      const back = await follow(app, linkOf(last, 'prev') as string, 'prev')
      t.strictSame(back.map(({ ids }) => ids), [[5, 1, 4], [3, 6, 2]], 'and back')
    }
  })
}

t.test('an empty page, and lists without cursors, have none', async t => {
  const app = await notes(t)
  for (const filter of [{ after: '', where: { size: 77 } }, { limit: 2 }, {}]) {
    const { status, headers } = await get(app, list(filter))
    t.strictSame([status, headers.link, headers['x-next-cursor'], headers['x-prev-cursor']], [200, undefined, undefined, undefined])
  }
})

t.test('lists of relations, fields and includes', async t => {
  const app = await notes(t)
  const pages = await follow(app, list({ order: 'at', fields: ['title'], limit: 2, after: '' }, '/Authors/1/notes'), 'next')
  t.strictSame(pages.map(({ rows }) => rows), [[{ title: 't0' }, { title: 't2' }], [{ title: 't4' }, { title: 't6' }]])
  const cursor = pages[0]?.headers['x-next-cursor']
  const others = await get(app, list({ order: 'at', fields: ['title'], limit: 2, after: cursor }, '/Authors/2/notes'))
  t.strictSame([others.status, others.code], [400, 'INVALID_CURSOR'], 'of another author')
  const included = await get(app, list({ order: 'size', limit: 1, include: 'author', after: '' }))
  t.match(included.rows, [{ author: { name: 'Ann' } }])
  t.match(included.headers['x-next-cursor'], /./)
})

t.test('rows written row by row have the headers', async t => {
  const app = await notes(t, { options: { streaming: true } })
  const { headers, body } = await app.inject({ url: list({ limit: 2, after: '' }), headers: { accept: 'application/x-ndjson' } })
  t.equal(body.trim().split('\n').length, 2)
  t.match(headers['x-next-cursor'], /./)
})

t.test('what is refused', async t => {
  const app = await notes(t, {
    prepare (_, app) {
      app.addHook('onRequest', async request => {
        ;(request as Loose).accessToken = request.headers['x-user'] === undefined ? null : { userId: request.headers['x-user'] }
      })
    }
  })
  const filter = { where: { size: { neq: 77 } }, order: 'size DESC', limit: 2 }
  const { headers } = await get(app, list({ ...filter, after: '' }), { 'x-user': '7' })
  const cursor = headers['x-next-cursor'] as string
  t.equal((await get(app, list({ ...filter, after: cursor }), { 'x-user': '7' })).status, 200, 'the same list')
  t.equal((await get(app, list({ ...filter, limit: 3, fields: ['id'], after: cursor }), { 'x-user': '7' })).status, 200, 'size and fields are free')
  const changed = cursor.replace(/.$/, last => last === 'A' ? 'Q' : 'A')
  const refused: ReadonlyArray<readonly [string, object, string?]> = [
    ['another user', { ...filter, after: cursor }, '8'],
    ['nobody', { ...filter, after: cursor }, ''],
    ['another condition', { ...filter, where: { size: { neq: 78 } }, after: cursor }],
    ['no condition', { ...filter, where: undefined, after: cursor }],
    ['another order', { ...filter, order: 'size ASC', after: cursor }],
    ['changed', { ...filter, after: changed }],
    ['shortened', { ...filter, after: cursor.slice(0, -1) }],
    ['made up', { ...filter, after: Buffer.from('[1,[2,3]]').toString('base64url') }],
    ['no text', { ...filter, after: 5 }],
    ['a long one', { ...filter, after: 'A'.repeat(5000) }],
    ['both', { ...filter, after: cursor, before: cursor }],
    ['skip', { ...filter, after: cursor, skip: 1 }],
    ['offset', { ...filter, after: cursor, offset: 1 }],
    ['distinct', { order: 'size', distinct: 'size', after: '' }],
    ['in a scope', { include: { relation: 'author', scope: { after: '' } } }],
    ['an order without cursors', { order: 'tags', after: '' }],
    ['an order by related rows', { order: 'author.name', after: '' }]
  ]
  for (const [what, asked, user = '7'] of refused) {
    const { status, code, message } = await get(app, list(asked), user === '' ? {} : { 'x-user': user })
    t.strictSame([status, code], [400, 'INVALID_CURSOR'], `${what}: ${message}`)
    t.notMatch(message, /hush|SELECT|at Object/)
  }
})

t.test('a page without a limit is a page', async t => {
  const app = await notes(t, {
    definitions: [author, { ...related, maxLimit: 4 } as never]
  })
  t.equal((await get(app, list({ after: '' }))).ids.length, 4)
  t.equal((await get(app, list({ after: '', limit: 5 }))).status, 400)
})

t.test('where cursors are off, the parts are unknown', async t => {
  const app = await notes(t, { settings: { cursors: false } })
  const { status, code } = await get(app, list({ after: '' }))
  t.strictSame([status, code], [400, 'UNKNOWN_FILTER_KEY'])
  const loose = await notes(t, { settings: { cursors: false, unknownFilterKeys: 'ignore' } })
  const { ids, headers } = await get(loose, list({ after: '' }))
  t.equal(ids.length, 7)
  t.equal(headers['x-next-cursor'], undefined)
  t.equal((await get(loose, '/api/Notes?after=x')).status, 200)
})

t.test('cursors hold for every process with the secret', async t => {
  const settings = { cursorSecret: 'a secret of at least 32 characters' }
  const [one, two, other] = [await notes(t, { settings }), await notes(t, { settings }), await notes(t)]
  const { headers } = await get(one, list({ limit: 2, after: '' }))
  const next = list({ limit: 2, after: headers['x-next-cursor'] })
  t.strictSame((await get(two, next)).ids, [3, 4])
  t.equal((await get(other, next)).code, 'INVALID_CURSOR')
  await t.rejects(notes(t, { settings: { cursorSecret: 'short' } }), /cursorSecret/)
})
