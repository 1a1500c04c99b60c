/** Change streams carry what a `find` of their reader would give: S-91. */
import tap, { type Test } from 'tap'
import Fastify from 'fastify'
import { setTimeout as wait } from 'node:timers/promises'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { createChangeStream, remoteOptions } from '@fastback/core/remote'
import { rest } from '@fastback/rest'

type Loose = any

const stores: Array<[string, Loose]> = [
  ['memory', { connector: memoryConnector }],
  ['sqlite', { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' }]
]

/** What the hook does is the test's to say. */
interface View {
  /** Keeps the row, in a condition; undefined: everything. */
  where?: object | undefined
  fields?: object
  /** What it throws. */
  error?: Error | undefined
  asked: number
}

interface Served {
  readonly app: Loose
  readonly Note: Loose
  readonly view: View
  /** Opens the stream, and gives what has come of it: `create 1`. */
  listen (query?: string, headers?: object): Promise<{ events: () => string[], text: () => string, status: number }>
}

async function serve (t: Test, store: Loose, definition: object = {}): Promise<Served> {
  const app: Loose = Fastify()
  const open: AbortController[] = []
  t.teardown(async () => {
    for (const each of open) each.abort()
    await app.close()
  })
  await app.register(core, {
    dataSources: { db: store },
    definitions: [{
      name: 'Note',
      forceId: false,
      properties: {
        id: { type: 'number', id: true },
        text: 'string',
        team: 'number',
        seal: { type: 'string', hidden: true },
        salary: 'number'
      },
      ...definition
    }],
    models: { Note: { dataSource: 'db', public: true } }
  })
  const { Note } = app.models
  const view: View = { asked: 0 }
  if (!('scope' in definition)) {
    Note.observe('access', async ({ options, query }: Loose) => {
      if (options.prohibitHiddenPropertiesInQuery === undefined) return
      view.asked++
      if (view.error !== undefined) throw view.error
      if (view.where !== undefined) query.where = { and: [query.where ?? {}, view.where] }
      if (view.fields !== undefined) query.fields = view.fields
    })
  }
  await app.register(rest, { prefix: '/api' })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    Note,
    view,
    async listen (query = '', headers = {}) {
      const controller = new AbortController()
      open.push(controller)
      const answer = await fetch(`${origin as string}/api/Notes/change-stream${query}`, {
        headers: { accept: 'text/event-stream', ...headers }, signal: controller.signal
      })
      let text = ''
      const read = async (): Promise<void> => {
        for await (const part of (answer.body as Loose).pipeThrough(new TextDecoderStream())) text += part
      }
      read().catch(() => {})
      return {
        status: answer.status,
        text: () => text,
        events: () => [...text.matchAll(/^(?:event: gap|data: (\{.*\}))$/gm)].map(([, data]) => {
          if (data === undefined) return 'gap'
          const { type, target } = JSON.parse(data)
          return `${type as string} ${target as string}`
        })
      }
    }
  }
}

const comes = async (is: () => boolean): Promise<boolean> => {
  for (let i = 0; i < 500 && !is(); i++) await wait(20)
  return is()
}

for (const [name, store] of stores) {
  tap.test(`${name}: S-91 P-24 rows that come into sight and go out of it`, { timeout: 60_000 }, async t => {
    // Seen to fail: createChangeStream without its view: every change of every row was told
    const { Note, view, listen } = await serve(t, store)
    view.where = { team: 1 }
    const stream = await listen()
    const late = { 'last-event-id': '0' }
    const missed = (await listen('', late)).events
    await Note.create([{ id: 1, team: 1 }, { id: 2, team: 2 }, { id: 3, team: 2 }])
    await Note.updateAll({ id: 2 }, { team: 1 })
    await Note.updateAll({ id: 2 }, { team: 3 })
    await (await Note.findById(3)).updateAttributes({ text: 'of another team' })
    await Note.replaceById(1, { team: 2 })
    await Note.upsert({ id: 1, team: 1 })
    const saved = await Note.findById(1)
    saved.team = 2
    await saved.save()
    await Note.replaceOrCreate({ id: 3, team: 4 })
    await Note.destroyAll({ id: { inq: [1, 2, 3] } })
    await Note.create({ id: 9, team: 1 })
    const expected = ['create 1', 'update 2', 'remove 2', 'remove 1', 'update 1', 'remove 1', 'create 9']
    t.ok(await comes(() => stream.events().includes('create 9')))
    t.strictSame(stream.events(), expected)
    t.ok(await comes(() => missed().includes('create 9')))
    t.strictSame(missed(), ['gap', ...expected])
    const again = await listen('', { 'last-event-id': /id: (\d+)/.exec(stream.text())?.[1] })
    t.ok(await comes(() => again.events().includes('create 9')))
    t.strictSame(again.events(), expected.slice(1), 'what was missed is judged alike')
    const narrower = await listen(`?options=${encodeURIComponent('{"where":{"text":"x"}}')}`)
    await Note.create([{ id: 10, team: 2, text: 'x' }, { id: 11, team: 1, text: 'y' }, { id: 12, team: 1, text: 'x' }])
    t.ok(await comes(() => narrower.events().length > 0))
    t.strictSame(narrower.events(), ['create 12'], 'what is asked for comes on top')
  })

  tap.test(`${name}: S-91 a default scope, of an object or a function, and what it leaves by updateAll`, { timeout: 60_000 }, async t => {
    // Seen to fail: rows read by findRows in change-feed.ts: one that an update took out of the scope was told of never
    const gone = { where: { text: { neq: 'gone' } } }
    let isNarrow = true
    for (const scope of [gone, () => (isNarrow ? gone : {})]) {
      const { Note, listen } = await serve(t, store, { scope })
      const stream = await listen()
      await Note.create([{ id: 1, text: 'gone' }, { id: 2, text: 'a' }])
      await Note.updateAll({ id: 2 }, { text: 'gone' })
      await Note.create({ id: 3, text: 'b' })
      t.ok(await comes(() => stream.events().includes('create 3')))
      t.strictSame(stream.events(), ['create 2', 'remove 2', 'create 3'])
      if (scope === gone) continue
      isNarrow = false
      await Note.create({ id: 4, text: 'gone' })
      t.ok(await comes(() => stream.events().includes('create 4')), 'the function is asked again')
      isNarrow = true
      await Note.create([{ id: 5, text: 'gone' }, { id: 6, text: 'c' }])
      t.ok(await comes(() => stream.events().includes('create 6')))
      t.notOk(stream.events().includes('create 5'))
    }
  })

  tap.test(`${name}: S-91 hooks answer otherwise as time goes on, by hidden properties, and with less of a row`, { timeout: 60_000 }, async t => {
    // Seen to fail: conditions on `Change.data`, which has no hidden properties: nobody saw anything
    const { Note, view, listen } = await serve(t, store)
    view.where = { seal: 'mine' }
    view.fields = { salary: false }
    const stream = await listen()
    await Note.create([{ id: 1, seal: 'mine', salary: 7 }, { id: 2, seal: 'other', salary: 8 }, { id: 3, seal: 'mine' }])
    t.ok(await comes(() => stream.events().includes('create 3')))
    t.strictSame(stream.events(), ['create 1', 'create 3'])
    view.where = { seal: 'other' }
    await Note.create([{ id: 4, seal: 'mine' }, { id: 5, seal: 'other', salary: 9 }])
    t.ok(await comes(() => stream.events().includes('create 5')))
    t.notOk(stream.events().includes('create 4'), 'a change is judged by a response that came after it')
    t.notMatch(stream.text(), /salary|seal|mine/, 'nothing that a list would not show')
    const { asked } = view
    for (let id = 100; id < 400; id++) await Note.create({ id, seal: 'other' })
    t.ok(await comes(() => stream.events().includes('create 399')))
    t.ok(view.asked - asked < 150, `one answer is for many changes: ${view.asked - asked} for 300`)
  })

  tap.test(`${name}: S-91 a hook that refuses refuses the stream, and ends one that is open`, { timeout: 60_000 }, async t => {
    // Seen to fail: createChangeStream without its view: 200, and no end
    const { Note, view, listen } = await serve(t, store)
    const stream = await listen()
    view.error = Object.assign(new Error('not for you'), { statusCode: 403 })
    t.equal((await listen()).status, 403)
    await Note.create({ id: 1, text: 'secret' })
    t.ok(await comes(() => stream.text().includes('event: error')))
    t.notMatch(stream.text(), 'secret')
  })

  tap.test(`${name}: S-91 code of the application sees everything, unless it says for whom it asks`, { timeout: 60_000 }, async t => {
    // Seen to fail: persistedStatics.createChangeStream without its options: the second stream had both rows
    const { Note, view } = await serve(t, store)
    view.where = { team: 1 }
    const seen: Loose = { all: [], some: [], lazy: [] }
    const streams = {
      all: await Note.createChangeStream(),
      some: await Note.createChangeStream({}, remoteOptions({})),
      lazy: createChangeStream(Note, {}, remoteOptions({}))
    }
    for (const [key, stream] of Object.entries(streams)) {
      stream.on('data', ({ target }: Loose) => seen[key].push(target))
      t.teardown(() => stream.destroy())
    }
    await Note.create([{ id: 1, team: 2 }, { id: 2, team: 1 }])
    t.ok(await comes(() => seen.some.length > 0 && seen.lazy.length > 0))
    t.strictSame(seen, { all: [1, 2], some: [2], lazy: [2] })
  })
}
