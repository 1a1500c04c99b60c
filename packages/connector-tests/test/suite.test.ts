/** The suite finds faults: connectors that are wrong in one place do not pass it. */
import t, { Test, type TestOpts } from 'tap'
import type { Connector, KeyValueSupport, Row, StoredModel } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { agreesWithMemory, connectorSuite, SuiteStore, type Claim } from '@fastback/connector-tests'

const memory = (settings: object = {}): Connector =>
  memoryConnector(
    { connector: 'memory', ...settings },
    { dataSource: 'db', baseDir: '.', log: { warn () {}, info () {}, debug () {} } }
  )

/** The memory connector, with one of its members replaced. */
const but = (change: (connector: Connector) => Partial<Connector>): Connector => {
  const connector = memory()
  return Object.assign(connector, change(connector))
}

const claims: Claim[] = ['rows', 'keyValue', 'versions']

/** Names of the cases that fail in a test of its own, which is no part of the result here. */
async function failing (run: (t: Test) => Promise<void>): Promise<string[]> {
  const options: TestOpts = { name: 'inner' }
  const inner = new Test(options)
  let text = ''
  inner.on('data', (data: Buffer | string) => { text += String(data) })
  await run(inner)
  inner.end()
  return [...text.matchAll(/^ *not ok \d+ - (.*?)(?: # time=.*| \{)?$/gm)].map(([, name]) => name as string)
}

const wrong = async (make: () => Connector, claims: Claim[]): Promise<string[]> =>
  await failing(async t => { await connectorSuite(t, { name: 'wrong', make, claims }) })

const has = (t: Test, found: string[], name: string): void => {
  t.ok(found.includes(name), `"${name}" fails`, { found })
}

t.test('a store that counts wrongly', async t => {
  const found = await wrong(() => but(() => ({ count: () => 0 })), claims)
  has(t, found, 'createMany stores all rows, in order')
  t.notOk(found.includes('every type comes back as it was stored'), 'what is right passes')
})

t.test('a store that keeps the first rows although a later one is refused', async t => {
  const found = await wrong(() => but(connector => ({
    createMany: (model, rows, options) => rows.map(row => connector.create(model, row, options) as Row)
  })), claims)
  has(t, found, 'createMany stores all rows or none')
})

t.test('keys that all models share', async t => {
  const found = await wrong(() => but(({ keyValue }) => {
    const { get } = keyValue as KeyValueSupport
    let first: StoredModel | undefined
    Object.assign(keyValue as KeyValueSupport, {
      get (model: StoredModel, key: string) {
        first ??= model
        return get.call(keyValue, first, key)
      }
    })
    return {}
  }), claims)
  has(t, found, 'models have keys of their own')
})

t.test('rows that end with the process, where persistence is claimed', async t => {
  const found = await wrong(() => memory(), [...claims, 'persistence'])
  has(t, found, 'rows are there after a restart, every value with its type')
  has(t, found, 'ids are not used twice, also after a restart')
  has(t, found, 'unique indexes hold after a restart')
})

t.test('claims that do not hold', async t => {
  const never = async (claims: Claim[], because: string): Promise<void> => {
    has(t, await wrong(() => memory(), claims), because)
  }
  await never([...claims, 'transactions'], 'connector.transactions is there if, and only if, claimed')
  await never(['rows'], 'connector.keyValue is there if, and only if, claimed')
  await never(['keyValue', 'persistence'], 'persistence can only be shown with rows')
  await never([], 'something is kept: rows, or values by key')
})

t.test('answers that differ from those of memory', async t => {
  const found = await failing(async t => {
    await agreesWithMemory(t, () => but(() => ({ count: () => -1 })), { runs: 1, filters: 1 })
  })
  t.match(found, [/count/])
})

t.test('cases are left out by name, and by what the store lacks', async t => {
  let emptied = 0
  await connectorSuite(t, {
    name: 'memory',
    make: () => memory(),
    claims: ['keyValue', 'rows', 'versions'],
    lacks: ['unique', 'near', 'regexp', 'open'],
    skip: { 'a hostile glob takes linear time': 'not now' },
    async empty (store) {
      emptied++
      await store.reset()
    }
  })
  t.ok(emptied > 50, `${emptied} cases`)
})

t.test('a store is opened again only where it can be made again', async t => {
  const store = new SuiteStore(memory())
  await store.start()
  t.teardown(() => store.stop())
  await t.rejects(store.reopen(), /"make"/)
})
