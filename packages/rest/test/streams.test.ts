import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { makeApp, note, type AppParts } from './app.js'

interface Listener {
  response: IncomingMessage
  text: () => string
  until: (pattern: RegExp) => Promise<string>
  ended: Promise<void>
}

async function listen (
  t: Test,
  parts: AppParts
): Promise<{
  app: FastifyInstance
  Note: any
  open: (path: string, headers?: Record<string, string>) => Promise<Listener>
}> {
  const app = await makeApp(t, parts)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const open = async (path: string, headers = {}): Promise<Listener> =>
    await new Promise((resolve, reject) => {
      get({ port, path: `/api${path}`, headers, agent: false }, response => {
        let text = ''
        let changed = (): void => {}
        const ended = new Promise<void>(resolve => {
          response.on('close', () => {
            changed()
            resolve()
          })
        })
        response
          .setEncoding('utf8')
          .on('data', chunk => {
            text += chunk
            changed()
          })
          .on('error', () => {})
        const until = async (pattern: RegExp): Promise<string> => {
          while (!pattern.test(text)) {
            await new Promise<void>(resolve => {
              changed = resolve
            })
          }
          return text
        }
        t.teardown(() => response.destroy())
        resolve({ response, text: () => text, until, ended })
      }).on('error', reject)
    })
  return { app, Note: app.models.Note, open }
}

t.test('a change stream tells what happens, without hidden properties', async t => {
  const { Note, open } = await listen(t, { definitions: [note] })
  const stream = await open('/Notes/change-stream')
  t.match(stream.response.headers, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff'
  })
  await stream.until(/^:ok\n\n/)
  await Note.create({ title: 'new', secret: 'hush' })
  t.match(
    await stream.until(/"type":"create"/),
    /id: \d+\nevent: data\ndata: \{"target":1,"data":\{[^}]*"title":"new"[^}]*\},"type":"create"\}\n\n/
  )
  await Note.updateAll({ id: 1 }, { size: 5 })
  t.match(await stream.until(/"type":"update"/), /"target":1,"data":\{[^}]*"size":5/)
  await Note.destroyById(1)
  t.match(await stream.until(/"type":"remove"/), /data: \{"target":1,"type":"remove"\}/)
  t.notMatch(stream.text(), /hush/)
})

t.test('a condition, the same for removals, and going on where one was', async t => {
  const { Note, open } = await listen(t, { definitions: [note] })
  const all = await open('/Notes/change-stream')
  await all.until(/:ok/)
  const stream = await open('/Notes/change-stream?options={"where":{"size":1}}')
  await stream.until(/:ok/)
  await Note.create([{ title: 'a', size: 1 }, { title: 'b', size: 2 }])
  await Note.destroyById(1)
  await stream.until(/"type":"remove"/)
  t.notMatch(stream.text(), /"target":2/)
  await all.until(/"type":"remove"/)
  const ids = Array.from(all.text().matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id)) as [number, number, number]
  t.strictSame(ids, [ids[0], ids[0] + 1, ids[0] + 2])
  const later = await open('/Notes/change-stream', { 'last-event-id': String(ids[0]) })
  t.match(await later.until(/"type":"remove"/), new RegExp(`^:ok\n\nid: ${ids[1]}\n`))
  for (const lost of ['1', '-1', String(ids[2] + 90), String(ids[0] - 2), String((Date.now() - 1e7) * 1000)]) {
    const gap = await open('/Notes/change-stream', { 'last-event-id': lost })
    t.match(await gap.until(/event: gap/), /^:ok\n\nevent: gap\ndata: null\n\n/, 'what is no longer known is said')
  }
  t.match(
    await (await open('/Notes/change-stream', { 'last-event-id': String(ids[2]) })).until(/:ok/),
    /^:ok\n\n$/,
    'nothing was missed'
  )
  const hidden = await open('/Notes/change-stream?options={"where":{"secret":"x"}}')
  t.equal(hidden.response.statusCode, 400)
})

t.test('with a condition, a row that no longer matches is removed, without a question to the store', async t => {
  const { app, Note, open } = await listen(t, { definitions: [note] })
  const stream = await open('/Notes/change-stream?options={"where":{"size":1}}')
  await stream.until(/:ok/)
  const [one, two, three] = await Note.create([1, 2, 1].map(size => ({ title: 'a note', size })))
  const { connector } = app.registry.dataSources.db as any
  const find = connector.find
  connector.find = () => { throw new Error('the row is there') }
  await two.patchAttributes({ size: 3 })
  await one.patchAttributes({ size: 2 })
  await one.patchAttributes({ size: 3 })
  connector.find = find
  await Note.updateAll({ id: three.id }, { size: 7 })
  await one.patchAttributes({ size: 1 })
  await one.updateAttributes({ title: 'the last' })
  const text = await stream.until(/the last/)
  const told = Array.from(text.matchAll(/"target":(\d+).*"type":"(\w+)"/g), ([, id, type]) => `${type} ${id}`)
  t.strictSame(told, ['create 1', 'create 3', 'remove 1', 'remove 3', 'update 1', 'update 1'])
})

t.test('who comes back finds what was missed, or hears that it is lost', async t => {
  for (const linger of [undefined, 0]) {
    const { Note, open } = await listen(t, { definitions: [{ ...note, changeStream: { linger } }] })
    const stream = await open('/Notes/change-stream')
    await stream.until(/:ok/)
    await Note.create({ title: 'seen' })
    const id = (/id: (\d+)/.exec(await stream.until(/seen/)) as RegExpExecArray)[1] as string
    stream.response.destroy()
    await stream.ended
    await Note.create({ title: 'missed' })
    const back = await open('/Notes/change-stream', { 'last-event-id': id })
    if (linger === undefined) {
      t.match(await back.until(/missed/), new RegExp(`^:ok\n\nid: ${Number(id) + 1}\n`), 'nobody listened in between')
    } else t.match(await back.until(/event: gap/), /^:ok\n\nevent: gap/)
  }
})

t.test('line by line for who asks for JSON; nothing for who asks for other things', async t => {
  const { Note, open } = await listen(t, { definitions: [note] })
  const stream = await open('/Notes/change-stream', { accept: 'application/json' })
  t.match(stream.response.headers['content-type'], 'application/json')
  await stream.until(/\["changes","new",.*\]\n/)
  await Note.create({ title: 'x' })
  t.match(await stream.until(/"create"/), /\["changes","data",\{"target":1.*\}\]\n/)
  t.equal((await open('/Notes/change-stream', { accept: 'image/png' })).response.statusCode, 406)
})

t.test('a guard decides for each change, and ends the stream with the rights', async t => {
  const rights = new AbortController()
  const { Note, open } = await listen(t, {
    definitions: [note],
    prepare (_models, app) {
      app.decorateRequest('changeGuard', null)
      app.addHook('onRequest', async request => {
        request.changeGuard = { allows: async data => data.size !== 2, signal: rights.signal }
      })
    }
  })
  const stream = await open('/Notes/change-stream')
  await stream.until(/:ok/)
  for (const size of [1, 2, 3]) await Note.create({ title: 'x', size })
  await stream.until(/"size":3/)
  t.notMatch(stream.text(), /"size":2/)
  rights.abort()
  await stream.ended
})

t.test('signs of life; closed with the server and with the client', async t => {
  const { app, Note, open } = await listen(t, {
    definitions: [{ ...note, changeStream: { linger: 0 } }],
    options: { heartbeat: 10 }
  })
  const stream = await open('/Notes/change-stream')
  t.match(await stream.until(/:ok\n\n:\n\n:\n\n/), /^:ok/)
  const gone = await open('/Notes/change-stream')
  await gone.until(/:ok/)
  gone.response.destroy()
  await gone.ended
  const listening = (): boolean => (Note.state.observers.get('after save') ?? []).length > 0
  t.ok(listening())
  await app.close()
  await stream.ended
  t.match(stream.text(), /\nretry: 1\d{3}\n\n$/, 'and is told when to come back, not all at once')
  t.notOk(listening(), 'nobody is left to listen')
})

t.test('a client that stops reading costs no memory, and others nothing', async t => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = (): number => { collect(); return process.memoryUsage().heapUsed + process.memoryUsage().external }
  const { Note, open } = await listen(t, { definitions: [{ ...note, changeStream: { linger: 0 } }] })
  const listening = (): boolean => (Note.state.observers.get('after save') ?? []).length > 0
  const row = await Note.create({ title: 'x' })
  const stalled = await open('/Notes/change-stream')
  await stalled.until(/:ok/)
  stalled.response.pause()
  const change = async (from: number, to: number): Promise<void> => {
    for (let size = from; size < to; size++) {
      await row.updateAttributes({ size, title: `${size} `.padEnd(2000, '.') })
      if (size % 50 === 0) await setImmediate()
    }
  }
  // What a stream and the history of the model may hold is full after this.
  await change(0, 4000)
  const before = heap()
  await change(4000, 12_000)
  const grown = heap() - before
  t.ok(grown < 4e6, `16 MB of changes later the process holds ${(grown / 1e6).toFixed(1)} MB more`)
  t.notOk(listening(), 'nothing is kept for it any more')
  const reading = await open('/Notes/change-stream')
  await reading.until(/:ok/)
  await change(12_000, 12_300)
  t.match(await reading.until(/"size":12299,/), /"size":12000,/)
  stalled.response.resume()
  await stalled.until(/event: error/)
  await stalled.ended
  t.match(stalled.text(), /"size":0,/, 'what was sent before it stopped has arrived')
})

t.test('streams of objects of an application', async t => {
  const { open } = await listen(t, {
    definitions: [note],
    prepare ({ Note }) {
      const model = Note as any
      model.numbers = async (fail?: boolean) =>
        Readable.from(
          (function * () {
            yield { n: 1 }
            if (fail === true) throw new Error('secret')
            yield { n: 2 }
          })()
        )
      model.remoteMethod('numbers', {
        accepts: { arg: 'fail', type: 'boolean' },
        returns: { arg: 'stream', type: 'ReadableStream', json: true },
        http: { verb: 'get', path: '/numbers' }
      })
    }
  })
  t.match(
    await (await open('/Notes/numbers')).until(/event: end/),
    'event: data\ndata: {"n":1}\n\nevent: data\ndata: {"n":2}\n\nevent: end\ndata: null\n\n'
  )
  const failed = await (await open('/Notes/numbers?fail=true')).until(/event: error/)
  t.notMatch(failed, /secret/)
})

t.test('large rows: what is kept for slow readers is bounded, and ids beyond a double are texts', async t => {
  const { Note, open } = await listen(t, {
    definitions: [
      {
        ...note,
        hidden: [],
        changeStream: { historySize: 50_000 },
        properties: { id: { type: 'long', id: true }, title: 'string' }
      }
    ]
  })
  const stream = await open('/Notes/change-stream')
  await stream.until(/:ok/)
  for (let i = 0; i < 20; i++) {
    await Note.create({ id: i, title: String(i).padEnd(10_000, '.') })
    await stream.until(new RegExp(`"title":"${i}\\.`))
  }
  const ids = Array.from(stream.text().matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id))
  t.equal(ids.length, 20, 'who keeps up gets everything')
  t.match(
    await (await open('/Notes/change-stream', { 'last-event-id': String(ids.at(-4)) })).until(/"title":"19\./),
    /^:ok\n\nid: \d+\nevent: data\ndata: \{"target":17,/
  )
  t.match(
    await (await open('/Notes/change-stream', { 'last-event-id': String(ids.at(-8)) })).until(/event: gap/),
    /gap/,
    'more than that is not kept'
  )
  await Note.create({ id: 9007199254740993n, title: 'x'.repeat(60_000) })
  t.match(await stream.until(/"title":"x/), /"target":"9007199254740993","data":\{"id":"9007199254740993",/)
})
