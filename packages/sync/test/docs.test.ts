/** The requests and responses of packages/docs/sync-protocol.md are those of a server. */
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { serve, type Loose } from './support.js'

const page = readFileSync(new URL('../../docs/sync-protocol.md', import.meta.url), 'utf8')

interface Block { readonly language: string, readonly text: string }

const blocks: Block[] = Array.from(page.matchAll(/^```(http|json)\n([\s\S]*?)\n```$/gm), ([, language, text]) =>
  ({ language: String(language), text: String(text) }))

/** A value of the page and one of the server, placeholders (`<rev of a>`) standing for whatever is a text or a list. */
function mustMatch (t: Loose, expected: unknown, actual: unknown, at: string): void {
  if (typeof expected === 'string' && /^<.*>$/.test(expected)) {
    t.ok(typeof actual === 'string' || Array.isArray(actual), `${at} is there`)
    return
  }
  if (expected === null || typeof expected !== 'object') { t.equal(actual, expected, at); return }
  t.same(Object.keys(actual as object).sort(), Object.keys(expected).sort(), `${at}: its members`)
  for (const [key, value] of Object.entries(expected)) mustMatch(t, value, (actual as Loose)[key], `${at}.${key}`)
}

t.test('SYD-20, SYD-22, SYD-25: the examples of the page', async t => {
  const served = await serve(t, [{
    name: 'Note', properties: { id: { type: 'string', id: true, defaultFn: 'guid' }, title: { type: 'string', required: true } }
  }])
  const { models: { Note } } = served
  await Note.create([{ id: 'a', title: 'one' }, { id: 'b', title: 'two' }, { id: 'c', title: 'three' }])
  let cursor = ''
  let calls = 0
  const filled = async (text: string): Promise<string> => text
    .replaceAll('<cursor>', encodeURIComponent(cursor))
    .replaceAll('<rev of a>', (await Note.findLastChange('a'))?.rev)
  for (let i = 0; i < blocks.length; i++) {
    const { language, text } = blocks[i] as Block
    if (language !== 'http') continue
    const [, method = '', url = ''] = /^(\w+) \/api(\S+)/.exec(await filled(text)) ?? []
    const key = /^Idempotency-Key: (.*)$/m.exec(text)?.[1]
    const answer = method === 'GET'
      ? await served.get(url)
      : await served.post(url, JSON.parse(await filled((blocks[++i] as Block).text)), key === undefined ? {} : { 'idempotency-key': key })
    t.equal(answer.status, 200, answer.text)
    mustMatch(t, JSON.parse((blocks[++i] as Block).text), sorted(answer.body), `${method} ${url.split('?')[0] as string}`)
    cursor = answer.body.cursor ?? cursor
    if (++calls !== 1) continue
    // The rest of the first list, and what the page tells then.
    cursor = (await served.pull('/Notes', cursor)).cursor
    await Note.updateAll({ id: 'a' }, { title: 'twice' })
    await Note.updateAll({ id: 'a' }, { title: 'one, again' })
    await Note.destroyById('b')
  }
  t.equal(calls, 4)
})

/** The order within a page means nothing. */
function sorted (body: Loose): Loose {
  body.changes?.sort((one: Loose, other: Loose) => one.id < other.id ? -1 : 1)
  return body
}

t.test('SYD-24: the hook of the page', async t => {
  const { models: { Note }, push } = await serve(t, [{ name: 'Note' }])
  const [, code = ''] = /^```js\n([\s\S]*?)\n```$/m.exec(page) ?? []
  runInNewContext(code, { Note })
  await Note.create([{ id: 'a', title: 'draft' }, { id: 'b', title: 'final' }])
  t.match(await push('/Notes', [
    { id: 'a', base: 'old', data: { id: 'a', title: 'mine' } }, { id: 'b', base: 'old', data: { id: 'b', title: 'mine' } }
  ]), [{ ok: true, resolved: 'client' }, { conflict: { data: { title: 'final' } } }])
  Note.observe('sync conflict', async (ctx: Loose) => { ctx.data = { id: 'b', title: `${ctx.client.title}, ${ctx.server.title}` } })
  t.match(await push('/Notes', [{ id: 'b', base: 'old', data: { id: 'b', title: 'mine' } }]), [{ ok: true, resolved: 'hook', data: { title: 'mine, final' } }])
})

t.test('SYD-26: the version of a client', async t => {
  const { get, post } = await serve(t, [{ name: 'Note', sync: { version: 3 } }, { name: 'Tag' }], undefined, { version: 2 })
  const outdated = { status: 409, body: { error: { code: 'CLIENT_OUTDATED', details: { version: 3 } } } }
  t.match(await get('/Notes/sync/pull?version=2'), outdated)
  t.match(await post('/Notes/sync/push', { changes: [], version: 2 }), outdated)
  t.match(await post('/sync/pull', { models: { Note: null }, version: 2 }), outdated)
  t.match(await get('/Notes/sync/live?version=2'), outdated)
  t.equal((await get('/Notes/sync/pull?version=3')).status, 200)
  t.equal((await get('/Notes/sync/pull')).status, 200, 'who names none is not asked')
  t.match(await get('/Tags/sync/pull?version=3'), { status: 409, body: { error: { details: { version: 2 } } } }, 'of the application')
})
