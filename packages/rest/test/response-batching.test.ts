/** Responses of requests that arrive together go out together, and lose nothing by it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import type { ModelClass } from '@fastback/core'
import { TickPace } from '@fastback/core/connector'
import { afterTick } from '@fastback/core/remote'
import type { RestOptions } from '@fastback/rest'
import { makeApp, note } from './app.js'

/** The model, as far as it is called here. */
interface NoteClass extends ModelClass {
  create (row: object): Promise<unknown>
}

interface Parts {
  readonly definition?: typeof note
  readonly options?: RestOptions
  /** Called with each request before it is dealt with. */
  readonly dealing?: (path: string, happened: string[]) => void
  readonly prepare?: (app: FastifyInstance) => void
}

/** So that a slow machine sends nothing early. */
const patient = { milliseconds: 10_000 }

/** A server with one note, what happened in it (`in 1`, `out 1`, …) and several requests at once. */
async function serve (
  t: Test, { definition = note, options = { responseBatching: patient }, dealing, prepare }: Parts = {}
): Promise<{
  app: FastifyInstance, happened: string[], ask: (requests: ReadonlyArray<string | InjectOptions>) => Promise<string[]>
}> {
  const happened: string[] = []
  const app = await makeApp(t, {
    definitions: [definition],
    options,
    prepare: async (models, app) => {
      await (models.Note as NoteClass).create({ title: 'one' })
      app.addHook('preHandler', (request, reply, done) => {
        happened.push(`in ${String(request.headers.n)}`)
        reply.raw.once('finish', () => happened.push(`out ${String(request.headers.n)}`))
        dealing?.(request.url, happened)
        done()
      })
      prepare?.(app)
    }
  })
  const ask = async (requests: ReadonlyArray<string | InjectOptions>): Promise<string[]> => {
    await yieldToEventLoop() // requests that are made up need none by themselves
    happened.length = 0
    const answers = await Promise.all(requests.map(async (request, i) =>
      await app.inject(typeof request === 'string'
        ? { url: request, headers: { n: String(i) } }
        : { ...request, headers: { ...request.headers, n: String(i) } })))
    return answers.map(({ statusCode, body }) => `${statusCode} ${body}`)
  }
  // From here on turns are known to be busy.
  for (let turn = 0; turn < 5; turn++) await ask(Array<string>(10).fill('/api/Notes/count'))
  return { app, happened, ask }
}

const one = '/api/Notes/1'
const count = '/api/Notes/count'
const ins = (happened: readonly string[]): string => happened.map(what => what.slice(0, what.indexOf(' '))).join(' ')

t.test('all are dealt with before the first is answered, and are answered in their order', async t => {
  const { happened, ask } = await serve(t)
  t.same(await ask([count, count, one, count]).then(answers => answers.map(text => text.slice(0, 13))), [
    '200 {"count":', '200 {"count":', '200 {"title":', '200 {"count":'
  ])
  t.same(happened, ['in 0', 'in 1', 'in 2', 'in 3', 'out 0', 'out 1', 'out 2', 'out 3'])
})

t.test('responses without a body wait with the others', async t => {
  const { app, happened, ask } = await serve(t, { definition: { ...note, etag: true } })
  const { headers: { etag } } = await app.inject(one)
  const seen = { url: one, headers: { 'if-none-match': String(etag) } }
  t.same((await ask([count, seen, one, seen])).map(text => text.slice(0, 4)), ['200 ', '304 ', '200 ', '304 '])
  t.equal(ins(happened), 'in in in in out out out out')
})

t.test('one that comes alone waits for nobody', async t => {
  const { happened, ask } = await serve(t, {
    dealing: (_path, happened) => { setImmediate(() => { happened.push('next turn') }) }
  })
  for (let turn = 0; turn < 10; turn++) await ask([count])
  await yieldToEventLoop()
  t.same(happened, ['in 0', 'out 0', 'next turn'])
})

t.test('as many as the setting says', async t => {
  const { happened, ask } = await serve(t, { options: { responseBatching: { ...patient, answers: 2 } } })
  await ask([count, count, count, count, count])
  t.equal(ins(happened), 'in in out out in in out out in out')
})

t.test('as many characters as the setting says, in remoting.rest as well', async t => {
  const { happened, ask } = await serve(t, {
    options: { remoting: { rest: { responseBatching: { ...patient, characters: 12 } } } }
  })
  await ask([count, count, count])
  t.equal(ins(happened), 'in in out out in out', 'of 11 characters each')
})

t.test('false: each at once', async t => {
  const { happened, ask } = await serve(t, { options: { responseBatching: false } })
  await ask([count, count, count])
  t.equal(ins(happened), 'in out in out in out')
})

const spend = (milliseconds: number): void => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

t.test('the first one waits as long as the setting says', async t => {
  const { happened, ask } = await serve(t, {
    options: { responseBatching: { milliseconds: 200 } },
    dealing: path => { if (path === one) spend(120) }
  })
  await ask([one, one, one, count])
  t.equal(ins(happened), 'in in in out out out in out', '0, 120 and 240 ms after the first')
})

t.test('after a request that takes long answers do not wait for a while', async t => {
  const { happened, ask } = await serve(t, {
    options: { responseBatching: { milliseconds: 20 } },
    dealing: path => { if (path === one) spend(120) }
  })
  await ask([count, one, count, count])
  t.equal(ins(happened), 'in in out out in out in out')
  await ask(Array<string>(6).fill(count))
  await ask([count, count, count])
  t.equal(ins(happened), 'in in in out out out', 'after eight: the system may have let others run')
  await ask([count, one])
  await ask(Array<string>(8).fill(count))
  await ask([count, one])
  await ask([count, count])
  t.equal(ins(happened), 'in out in out', 'longer where it goes on')
  for (let turn = 0; turn < 5; turn++) await ask(Array<string>(10).fill(count))
  await ask([count, count, count])
  t.equal(ins(happened), 'in in in out out out', 'after 32')
})

t.test('errors, and what has no text, go out at once', async t => {
  const { happened, ask } = await serve(t)
  await ask([count, '/api/Notes/no', { method: 'HEAD', url: '/api/Notes/1' }])
  t.same(happened.filter(what => /[01]$/.test(what)), ['in 0', 'in 1', 'out 1', 'out 0'])
})

t.test('what comes of work at the end of a turn is together already, and goes out at once', async t => {
  const waiting: Array<() => void> = []
  const work = new TickPace(entered => {
    for (const done of waiting.splice(0)) Promise.resolve().then(done, t.error)
    return entered
  })
  const put = new Array<string>()
  const { happened, ask } = await serve(t, {
    prepare: app => {
      app.addHook('preHandler', (request, _reply, done) => {
        if (request.url !== one) return done()
        work.enter()
        waiting.push(done)
        if (waiting.length === 1) afterTick(() => put.push(...happened))
      })
    }
  })
  for (let entered = 0; entered < 40; entered++) work.enter() // from here on its turns are busy
  await yieldToEventLoop()
  await ask([one, one, one])
  await yieldToEventLoop()
  t.same(put, ['in 0', 'in 1', 'in 2', 'out 0', 'out 1', 'out 2'], 'before what goes out with the turn')
})

t.test('each keeps its asynchronous context', async t => {
  const storage = new AsyncLocalStorage<string>()
  const seen: Array<[string, string | undefined]> = []
  const { happened, ask } = await serve(t, {
    prepare: app => {
      app.addHook('onRequest', (request, _reply, done) => { storage.run(String(request.headers.n), done) })
      app.addHook('onResponse', async request => { seen.push([String(request.headers.n), storage.getStore()]) })
    }
  })
  seen.length = 0
  await ask([count, one, count])
  t.equal(ins(happened), 'in in in out out out')
  t.same(seen, [['0', '0'], ['1', '1'], ['2', '2']])
})

t.test('a header that HTTP does not allow is an error of its own request', async t => {
  const { app, ask } = await serve(t, {
    prepare: app => {
      app.addHook('onRequest', (request, reply, done) => {
        if (request.headers.bad !== undefined) reply.header('x-bad', 'a\nb')
        done()
      })
    }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const over = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${app.listeningOrigin}${count}`, { headers })).status
  t.same(await Promise.all([over({}), over({ bad: 'yes' }), over({})]), [200, 400, 200])
  const together = await ask([count, { url: count, headers: { bad: 'yes' } }, count])
  t.same(together.map(text => text.slice(0, 3)), ['200', '400', '200'])
  t.equal((await ask([count]))[0], '200 {"count":1}')
})

t.test('limits that are none are refused', async t => {
  for (const responseBatching of [{ answers: 0 }, { milliseconds: 0.5 }, true, { requests: 3 }]) {
    await t.rejects(makeApp(t, { definitions: [note], options: { responseBatching } as RestOptions }), {
      code: 'FBK_REST_INVALID_OPTIONS'
    })
  }
})
