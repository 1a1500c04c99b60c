/** What holds for every engine, whatever stores its jobs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import type { EngineJob, JobEngine, QueueSettings } from '../../src/engines/engine.js'
import type { EngineStore, NamedStore } from './stores.js'

export const usual: QueueSettings = {
  retryLimit: 0,
  retryDelays: [0],
  concurrency: 1,
  timeout: 5000,
  retention: { completed: 60_000, failed: 60_000 }
}

/** Until something is so. @throws Error with what was waited for */
export async function until (what: string, isSo: () => boolean | Promise<boolean>, patience = 8000): Promise<void> {
  const end = Date.now() + patience
  while (!await isSo()) {
    if (Date.now() > end) throw new Error(`not so after ${patience} ms: ${what}`)
    await sleep(10)
  }
}

interface Ending { commit (): Promise<unknown>, rollback (): Promise<unknown> }

type Case = (t: Test, store: EngineStore) => Promise<void>

const cases: Record<string, Case> = {
  async 'jobs come once each, in the order that they were sent in, with their data' (t, store) {
    const engine = await store.open()
    await engine.define('mail', usual)
    const seen: EngineJob[] = []
    const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":2,"":3,"$inc":4,"a.b":5}') as object
    const sent = [1, 'two', { three: [3, null, 'ü\u0000\ud83d\ude00'] }, [true], null, hostile]
    const ids: Array<string | undefined> = []
    for (const data of sent) ids.push(await engine.send('mail', data))
    await engine.work('mail', async job => { seen.push(job) })
    await until('all have come', () => seen.length === sent.length)
    t.strictSame(seen.map(({ data }) => data), sent)
    t.strictSame(seen.map(({ id }) => id), ids)
    t.strictSame(seen.map(({ attempt, queue }) => `${queue} ${attempt}`), sent.map(() => 'mail 1'))
    await until('counted', async () => (await engine.counts('mail')).completed === sent.length)
    t.strictSame(await engine.counts('mail'), { waiting: 0, delayed: 0, active: 0, completed: sent.length, failed: 0 })
    const ready = Date.now()
    await engine.send('mail', 'late')
    await until('the late one', () => seen.length === sent.length + 1)
    t.ok(Date.now() - ready < 5000, 'a job that is sent while others wait for one comes')
  },

  async 'queues know nothing of each other' (t, store) {
    const engine = await store.open()
    await engine.define('a', usual)
    await engine.define('b', usual)
    await engine.send('a', 1)
    const seen: unknown[] = []
    await engine.work('b', async ({ data }) => { seen.push(data) })
    await engine.send('b', 2)
    await until('b', () => seen.length === 1)
    t.strictSame(seen, [2])
    t.strictSame((await engine.counts('a')).waiting, 1)
    t.equal((await engine.counts('b')).waiting, 0)
  },

  async 'a job that fails is tried again after its waits, and then listed' (t, store) {
    const engine = await store.open()
    await engine.define('mail', { ...usual, retryLimit: 2, retryDelays: [100, 1100] })
    const at: number[] = []
    const attempts: number[] = []
    await engine.work('mail', async ({ attempt }) => {
      at.push(Date.now())
      attempts.push(attempt)
      throw new Error(`no ${attempt}: https://x.example/?access_token=verysecret`)
    })
    const id = await engine.send('mail', { to: 'ann' }) as string
    await until('three attempts', () => at.length === 3)
    await until('failed', async () => (await engine.counts('mail')).failed === 1)
    t.strictSame(attempts, [1, 2, 3])
    const [first, second, third] = at as [number, number, number]
    t.ok(second - first >= 95, `${second - first} ms`)
    t.ok(third - second >= 1090 && third - second < 1100 + 3000, `${third - second} ms`)
    const [failed] = await engine.failed('mail', 10)
    t.match(failed, { id, data: { to: 'ann' }, attempts: 3 })
    t.match(failed?.reason, /^no 3/)
    t.notMatch(failed?.reason, /verysecret/)
    t.ok(Math.abs((failed?.failedAt.getTime() as number) - Date.now()) < 5000)
  },

  async 'failed jobs are sent once more, or discarded, the newest first' (t, store) {
    const engine = await store.open()
    await engine.define('mail', usual)
    let isBroken = true
    const done: unknown[] = []
    await engine.work('mail', async ({ data }) => {
      if (isBroken) throw new Error('broken')
      done.push(data)
    })
    for (const data of [1, 2, 3]) {
      await engine.send('mail', data)
      await until(`failed ${data}`, async () => (await engine.counts('mail')).failed === data)
      await sleep(5)
    }
    const failed = await engine.failed('mail', 10)
    t.strictSame(failed.map(({ data }) => data), [3, 2, 1])
    t.equal((await engine.failed('mail', 2)).length, 2)
    isBroken = false
    const [three, two, one] = failed.map(({ id }) => id) as [string, string, string]
    t.equal(await engine.retry('mail', two), true)
    await until('done', () => done.length === 1)
    t.strictSame(done, [2])
    t.equal(await engine.discard('mail', three), true)
    t.equal(await engine.discard('mail', three), false, 'once')
    t.equal(await engine.retry('mail', three), false)
    t.equal(await engine.retry('other', one), false, 'of another queue')
    t.equal(await engine.discard('other', one), false, 'of another queue')
    await until('completed', async () => (await engine.counts('mail')).completed === 1)
    t.equal(await engine.retry('mail', two), false, 'only those that failed')
    t.equal(await engine.discard('mail', two), false, 'only those that failed')
    for (const id of ['', 'x', "'; DROP TABLE x; --", '\u0000', '../..', 'a'.repeat(5000), '00000000-0000-0000-0000-000000000000']) {
      t.equal(await engine.retry('mail', id), false)
      t.equal(await engine.discard('mail', id), false)
    }
    t.strictSame((await engine.failed('mail', 10)).map(({ data }) => data), [1])
  },

  async 'of the jobs with a key that have not ended there is one' (t, store) {
    const engine = await store.open()
    await engine.define('mail', usual)
    await engine.define('other', usual)
    const key = 'ann:*\u0000"\'' + 'k'.repeat(3000)
    const ids = await Promise.all([1, 2, 3, 4, 5].map(async data => await engine.send('mail', data, { uniqueKey: key })))
    t.equal(ids.filter(id => id !== undefined).length, 1, String(ids))
    t.not(await engine.send('mail', 6, { uniqueKey: 'ben' }), undefined, 'of another key')
    t.not(await engine.send('other', 7, { uniqueKey: key }), undefined, 'of another queue')
    let release = (): void => {}
    const seen: unknown[] = []
    const running = new Promise<void>(resolve => { release = resolve })
    await engine.work('mail', async ({ data }) => {
      seen.push(data)
      await running
    })
    await until('it runs', () => seen.length === 1)
    t.equal(await engine.send('mail', 8, { uniqueKey: key }), undefined, 'also while it runs')
    release()
    await until('both are done', async () => (await engine.counts('mail')).completed === 2)
    t.not(await engine.send('mail', 9, { uniqueKey: key }), undefined, 'again when it has ended')
    await until('all', () => seen.length === 3)
  },

  async 'a job that failed for good leaves its key to others' (t, store) {
    const engine = await store.open()
    await engine.define('mail', { ...usual, retryLimit: 1, retryDelays: [300] })
    let count = 0
    await engine.work('mail', async () => {
      count++
      throw new Error('no')
    })
    await engine.send('mail', 1, { uniqueKey: 'k' })
    await until('failed once', () => count === 1)
    t.equal(await engine.send('mail', 2, { uniqueKey: 'k' }), undefined, 'while it waits for its next attempt')
    await until('for good', async () => (await engine.counts('mail')).failed === 1)
    t.not(await engine.send('mail', 3, { uniqueKey: 'k' }), undefined)
    await until('both', async () => (await engine.counts('mail')).failed === 2)
  },

  async 'a job does not come before its time' (t, store) {
    const engine = await store.open()
    await engine.define('mail', usual)
    let at = 0
    await engine.work('mail', async () => { at = Date.now() })
    const due = Date.now() + 1200
    await engine.send('mail', 1, { startAfter: new Date(due) })
    t.match(await engine.counts('mail'), { waiting: 0, delayed: 1 })
    await until('it has come', () => at > 0)
    t.ok(at >= due - 5, `${at - due} ms after its time`)
  },

  async 'no more jobs run at once than the queue allows' (t, store) {
    const engine = await store.open()
    await engine.define('mail', { ...usual, concurrency: 3 })
    let now = 0
    let most = 0
    let done = 0
    for (let i = 0; i < 20; i++) await engine.send('mail', i)
    await engine.work('mail', async () => {
      most = Math.max(most, ++now)
      await sleep(20)
      now--
      done++
    })
    await until('all', () => done === 20)
    t.equal(most, 3)
  },

  async 'a job that takes too long is ended, and has failed' (t, store) {
    const engine = await store.open()
    await engine.define('mail', { ...usual, timeout: 1000 })
    let wasAborted = false
    await engine.work('mail', async ({ signal }) => {
      await new Promise<void>(resolve => {
        signal.addEventListener('abort', () => {
          wasAborted = true
          resolve()
        })
      })
    })
    await engine.send('mail', 1)
    await until('it failed', async () => (await engine.counts('mail')).failed === 1)
    t.equal(wasAborted, true)
    t.match((await engine.failed('mail', 1))[0]?.reason, /longer than 1000 ms/)
  },

  async 'stopping waits for jobs that run, and takes no more' (t, store) {
    const engine = await store.open()
    await engine.define('mail', usual)
    const begun: unknown[] = []
    const ended: unknown[] = []
    await engine.work('mail', async ({ data }) => {
      begun.push(data)
      await sleep(150)
      ended.push(data)
    })
    await engine.send('mail', 1)
    await engine.send('mail', 2)
    await until('the first runs', () => begun.length === 1)
    await engine.stop({ timeout: 5000 })
    t.strictSame([begun, ended], [[1], [1]])
    await sleep(store.patience)
    t.strictSame(begun, [1])
    const next = await store.open()
    await next.define('mail', usual)
    await next.work('mail', async ({ data }) => { ended.push(data) })
    await until('the next process does the other', () => ended.length === 2)
    t.strictSame(ended, [1, 2])
  },

  async 'what does not end in time is given back when the engine stops' (t, store) {
    const engine = await store.open()
    await engine.define('mail', usual)
    let hasBegun = false
    let reason: unknown
    await engine.work('mail', async ({ signal }) => {
      hasBegun = true
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
          reject(new Error('aborted'))
        })
      })
    })
    await engine.send('mail', 1)
    await until('it runs', () => hasBegun)
    const from = Date.now()
    await engine.stop({ timeout: 100 })
    t.ok(Date.now() - from < 4000)
    t.match(reason, { message: /closes/ })
    const next = await store.open()
    await next.define('mail', usual)
    const attempts: number[] = []
    await next.work('mail', async ({ attempt }) => { attempts.push(attempt) })
    await until('the next process does it', () => attempts.length === 1)
    t.equal((await next.counts('mail')).failed, 0, 'it did not fail')
  },

  async 'several processes share a queue, and each job comes once' (t, store) {
    const engines = [await store.open(), await store.open(), await store.open()]
    const seen = new Map<unknown, number>()
    const by = new Set<number>()
    for (const [index, engine] of engines.entries()) {
      await engine.define('mail', { ...usual, concurrency: 4 })
      await engine.work('mail', async ({ data }) => {
        by.add(index)
        seen.set(data, (seen.get(data) ?? 0) + 1)
        await sleep(5)
      })
    }
    const sender = engines[0] as JobEngine
    await Promise.all(Array.from({ length: 120 }, async (_, i) => await sender.send('mail', i)))
    await until('all', () => seen.size === 120)
    await sleep(store.patience)
    t.strictSame([...new Set(seen.values())], [1], 'each once')
    t.ok(by.size > 1, `by ${by.size} processes`)
  },

  async 'a job of a transaction comes when it is committed, and never if it is rolled back' (t, store) {
    const engine = await store.open()
    const { db } = store.registry.dataSources
    if (db === undefined || !('transactions' in db.connector) || db.connector.transactions === undefined) return
    t.equal(engine.joinsTransactionsOf(db), true)
    await engine.define('mail', usual)
    const seen: unknown[] = []
    await engine.work('mail', async ({ data }) => { seen.push(data) })
    for (const isCommitted of [false, true]) {
      const transaction = await (db.beginTransaction() as unknown as Promise<Ending>)
      t.type(await engine.send('mail', isCommitted, { transaction, uniqueKey: 'k' }), 'string')
      await engine.send('mail', isCommitted, { transaction })
      await sleep(200)
      t.strictSame(seen, [])
      await (isCommitted ? transaction.commit() : transaction.rollback())
    }
    await until('they have come', () => seen.length === 2)
    await sleep(store.patience)
    t.strictSame(seen, [true, true])
  },

  async 'a schedule sends one job at each time, among all processes' (t, store) {
    const engines = [await store.open(), await store.open()]
    const at: number[] = []
    for (const engine of engines) {
      await engine.define('tick', { ...usual, concurrency: 5 })
      await engine.work('tick', async ({ data }) => {
        t.strictSame(data, { by: 'clock' })
        at.push(Date.now())
      })
      await engine.schedule('tick', '0 0 1 1 *', { timeZone: 'UTC', data: { by: 'clock' } })
    }
    const [first] = engines as [JobEngine]
    t.match(await first.scheduled('tick'), { cron: '0 0 1 1 *', timeZone: 'UTC' })
    const every = '* * * * * *'
    for (const engine of engines) await engine.schedule('tick', every, { timeZone: 'UTC', data: { by: 'clock' } })
    // For a moment, when one begins, the next one is not there yet.
    await until('it is scheduled', async () => (await first.scheduled('tick'))?.cron === every)
    await until('three times', () => at.length >= 3, 10_000)
    const seconds = at.map(time => Math.floor((time + 5) / 1000))
    t.strictSame([...new Set(seconds)].length, seconds.length, `one a second: ${at.join(', ')}`)
    await first.unschedule('tick')
    t.equal(await first.scheduled('tick'), undefined)
    await sleep(300)
    const count = at.length
    await sleep(1500)
    t.equal(at.length, count, 'and none when it has no schedule')
  }
}

/** All cases on one store, each in an empty one. */
export function engineSuite (t: Test, { name, skip, make }: NamedStore): void {
  t.test(name, { skip, jobs: 4 }, async t => {
    await Promise.all(Object.entries(cases).map(async ([title, run]) => {
      await t.test(title, { buffered: true }, async t => { await run(t, await make(t)) })
    }))
  })
}
