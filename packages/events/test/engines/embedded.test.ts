import t from 'tap'
import { storeNamed } from './stores.js'
import { engineSuite, until, usual } from './suite.js'

type Loose = any

const store = storeNamed('embedded, memory')

engineSuite(t, store)

t.test('a job that ends each process that takes it comes to an end', async t => {
  const { registry, open } = await store.make(t)
  const engine = await open()
  await engine.define('mail', { ...usual, retryLimit: 1 })
  const id = await engine.send('mail', 1)
  // As if five processes had died in it.
  await (registry.models.FastbackJob as Loose).updateAll({ id }, { attempts: 5 })
  let ran = 0
  await engine.work('mail', async () => { ran++ })
  await until('failed', async () => (await engine.counts('mail')).failed === 1)
  t.equal(ran, 0)
  t.match((await engine.failed('mail', 1))[0]?.reason, /ended 5 times/)
})

t.test('jobs that have ended are removed when their time is over', async t => {
  const { registry, open } = await store.make(t)
  const engine = await open()
  await engine.define('mail', { ...usual, retention: { completed: 0, failed: 1 } })
  await engine.work('mail', async ({ data }) => { if (data === 'bad') throw new Error('no') })
  await engine.send('mail', 'good')
  await engine.send('mail', 'bad')
  const { FastbackJob } = registry.models as Loose
  await until('one is left', async () =>
    (await FastbackJob.find()).map(({ state }: Loose) => state).join() === 'failed')
  await (engine as Loose).store.clean()
  t.strictSame(await FastbackJob.find(), [])
})
