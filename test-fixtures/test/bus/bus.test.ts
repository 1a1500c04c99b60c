// FASTBACK_TEST_FULL: several processes.
/** What one process changes holds in the others: rows, roles, rules, tokens, passwords, limits of attempts. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createServer } from '@fastback/boot'
import { Change } from '@fastback/core'
import { ChangeGap, createChangeStream } from '@fastback/core/remote'
import { execute, isReachable, makeScratch } from '../../scratch.mjs'
import { proxyTo } from '../faults/proxy.js'
import { attempts, call, comesTrue, startProcess, type Loose, type Process } from './application.js'

interface Store {
  readonly name: string
  readonly url: string
  readonly bus: object
  readonly cut?: () => Promise<void>
  /** Takes what carries the messages away, and gives it back. */
  readonly isAway?: (is: boolean) => void
}

const redis = process.env.FASTBACK_TEST_REDIS ?? 'redis://127.0.0.1:6379'
const namespace = `test-${process.pid}-${Date.now()}`

async function storesOf (t: Test): Promise<Store[]> {
  const stores: Store[] = []
  const file = (name: string): string => `sqlite:${join(t.testdirName, `${name}.db`)}`
  stores.push({ name: 'SQLite file', url: file('outbox'), bus: { outbox: 'db', namespace } })
  if (await isReachable('postgres')) {
    const { url, remove } = await makeScratch('postgres')
    t.teardown(remove)
    const cut = async (): Promise<void> => {
      await execute(url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fastback-bus'")
    }
    stores.push({ name: 'PostgreSQL', url, bus: { postgres: 'db', namespace }, cut })
  } else t.comment('no PostgreSQL')
  if (await isReachable('mysql')) {
    const { url, remove } = await makeScratch('mysql')
    t.teardown(remove)
    stores.push({ name: 'MySQL', url, bus: { outbox: 'db', namespace } })
  } else t.comment('no MySQL')
  const isThere = await startProcess('sqlite::memory:', { redis, namespace: `${namespace}-try` })
    .then(async app => { await app.close(); return true }, () => false)
  if (isThere) {
    const through = new URL(redis)
    const proxy = await proxyTo(t, through.hostname, Number(through.port || 6379))
    through.host = `127.0.0.1:${proxy.port}`
    stores.push({
      name: 'Redis',
      url: file('redis'),
      bus: { redis: through.href, namespace },
      cut: async () => { proxy.cut() },
      isAway: is => {
        proxy.mode = is ? 'refuse' : 'pass'
        proxy.cut()
      }
    })
  } else t.comment('no Redis')
  return stores
}

function streamOf (t: Test, { models }: Process, where?: object): Loose[] {
  const seen: Loose[] = []
  const stream = createChangeStream(models.Note, where === undefined ? {} : { where })
  stream.on('data', (change: Change | ChangeGap) => seen.push(change))
  t.teardown(() => stream.destroy())
  return seen
}

const types = (seen: readonly Loose[]): string[] =>
  seen.map(each => each instanceof ChangeGap ? 'gap' : `${each.type} ${each.data.text ?? each.target}`)

t.test('many processes', async t => {
  t.testdir({})
  for (const { name, url, bus, cut, isAway } of await storesOf(t)) {
    await t.test(name, async t => {
      const one = await startProcess(url, bus)
      t.teardown(() => one.close())
      const two = await startProcess(url, bus)
      t.teardown(() => two.close())
      t.ok(await acquainted(one, two))
      await changes(t, one, two)
      await rights(t, one, two)
      await credentials(t, one, two)
      await limits(t, one, two)
      if (cut !== undefined) await cuts(t, one, two, cut)
      if (isAway !== undefined) await absence(t, one, two, isAway)
    })
  }
})

async function changes (t: Test, one: Process, two: Process): Promise<void> {
  await t.test('P-36: changes of rows are seen, in order, by their conditions', async t => {
    const [all, many] = [streamOf(t, two), streamOf(t, two, { stars: { gt: 2 } })]
    const own = streamOf(t, one)
    const { Note } = one.models
    const note = await Note.create({ text: 'a', stars: 1 })
    await Note.create([{ text: 'b', stars: 5 }, { text: 'ü🙂', stars: 5 }])
    await Note.updateAll({ text: 'b' }, { stars: 4 })
    await note.updateAttributes({ stars: 2 })
    t.ok(await comesTrue(() => types(all).includes('update a')))
    await note.destroy()
    t.ok(await comesTrue(() => types(all).includes('remove a') && types(own).includes('remove a')))
    t.strictSame(types(own), ['create a', 'create b', 'create ü🙂', 'update b', 'update a', 'remove a'])
    t.strictSame([...new Set(types(all))], types(own))
    t.ok(all.every(each => each instanceof Change && typeof each.target === typeof own[0].target))
    t.ok(await comesTrue(() => types(many).includes('update b')))
    t.notOk(types(many).includes('create a'))
    t.strictSame(all.at(-1).data, own.at(-1).data, 'a removed row is as it was')
    await Note.create({ text: 'x'.repeat(9000) })
    t.ok(await comesTrue(() => all.some(each => each.data?.text?.length === 9000)), 'rows may be long')
    await Note.destroyAll({})
    t.ok(await comesTrue(() => types(all).includes('gap')), 'a long one that is gone is a gap that is said')
    const before = all.length
    const transaction = await Note.beginTransaction({})
    await Note.create({ text: 'rolled back' }, { transaction })
    await transaction.rollback()
    await Note.create({ text: 'last' })
    t.ok(await comesTrue(() => types(all).includes('create last')))
    t.notOk(types(all.slice(before)).includes('create rolled back'))
  })
}

async function account ({ models }: Process, name: string): Promise<Loose> {
  return await models.User.create({ email: `${name}@x.test`, username: name, password: 'first secret' })
}

async function login (app: Process, name: string, password = 'first secret'): Promise<{ status: number, body: Loose }> {
  return await call(app, 'POST', '/Users/login', { body: { username: name, password } })
}

async function rights (t: Test, one: Process, two: Process): Promise<void> {
  await t.test('S-43: roles and rules hold in the other process', async t => {
    const user = await account(one, 'ann')
    const token = (await login(one, 'ann')).body.id as string
    const may = async (app: Process): Promise<boolean> => (await call(app, 'GET', '/Notes', { token })).status === 200
    t.notOk(await may(two))
    const role = await one.models.Role.create({ name: 'reader' })
    const mapping = await role.principals.create({ principalType: 'USER', principalId: user.id })
    t.ok(await comesTrue(() => may(two)), 'a role that was given')
    await mapping.destroy()
    t.ok(await comesTrue(async () => !await may(two)), 'a role that was taken')
    t.equal((await call(two, 'GET', '/Opens')).status, 200)
    const rule = await one.models.ACL.create({
      model: 'Open', property: '*', accessType: '*', permission: 'DENY', principalType: 'ROLE', principalId: '$everyone'
    })
    t.ok(await comesTrue(async () => (await call(two, 'GET', '/Opens')).status === 401), 'a rule')
    await rule.destroy()
    t.ok(await comesTrue(async () => (await call(two, 'GET', '/Opens')).status === 200), 'a rule that is gone')
  })
}

async function credentials (t: Test, one: Process, two: Process): Promise<void> {
  await t.test('S-73: logout, password and deletion end tokens and streams in the other process', async t => {
    const user = await account(one, 'ben')
    const own = (app: Process, token: string): Promise<{ status: number }> =>
      call(app, 'GET', `/Users/${user.id as string}`, { token })
    const ends = async (token: string, what: string, work: () => Promise<unknown>): Promise<void> => {
      t.equal((await own(two, token)).status, 200)
      const row = await two.models.AccessToken.findById(token)
      const { signal, stop } = (two as Loose).authentication.watch.watch(row)
      await work()
      t.ok(await comesTrue(() => signal.aborted), `${what}: streams end`)
      t.ok(await comesTrue(async () => (await own(two, token)).status === 401), `${what}: tokens end`)
      stop()
    }
    const newToken = async (): Promise<string> => (await login(one, 'ben')).body.id as string
    let token = await newToken()
    await ends(token, 'logout', () => call(one, 'POST', '/Users/logout', { token }))
    const kept = await newToken()
    token = await newToken()
    t.equal((await own(two, kept)).status, 200)
    await ends(token, 'password', () => call(one, 'POST', '/Users/change-password', {
      token: kept, body: { oldPassword: 'first secret', newPassword: 'second secret' }
    }))
    t.equal((await own(two, kept)).status, 200, 'the token that made the change goes on')
    await ends(kept, 'deletion', () => user.destroy())
  })
}

async function limits (t: Test, one: Process, two: Process): Promise<void> {
  await t.test('S-77: attempts in all processes count together', async t => {
    await account(one, 'eve')
    const statuses: number[] = []
    for (let i = 0; i < attempts; i++) statuses.push((await login(one, 'eve', 'wrong')).status)
    t.ok(statuses.every(status => status === 401))
    t.ok(await comesTrue(async () => (await login(two, 'eve', 'wrong')).status === 429))
  })
}

async function cuts (t: Test, one: Process, two: Process, cut: () => Promise<void>): Promise<void> {
  await t.test('P-35: a cut connection comes back, and a stream is told what it may have missed', async t => {
    const seen = streamOf(t, two)
    for (let i = 0; i < 20; i++) {
      await one.models.Note.create({ text: `cut ${i}` })
      if (i % 7 === 3) await cut()
    }
    t.ok(await comesTrue(() => types(seen).includes('gap') || types(seen).includes('create cut 19')))
    t.ok(await comesTrue(async () => {
      await one.models.Note.create({ text: 'after' })
      return types(seen).includes('create after')
    }))
  })
}

async function absence (t: Test, one: Process, two: Process, isAway: (is: boolean) => void): Promise<void> {
  await t.test('while what carries the messages is away, requests are answered, and afterwards all is as before', async t => {
    const seen = streamOf(t, two)
    isAway(true)
    for (let i = 0; i < 20; i++) {
      t.match(await call(one, 'POST', '/Opens', { body: { text: 'x' } }), { status: 200 })
      t.match(await call(two, 'GET', '/Opens/count'), { status: 200, body: { count: i + 1 } })
      await one.models.Note.create({ text: `alone ${i}` })
    }
    isAway(false)
    t.ok(await comesTrue(() => types(seen).includes('gap') || types(seen).includes('create alone 19')), 'nothing is missed in silence')
    t.ok(await comesTrue(async () => {
      await one.models.Note.create({ text: 'together' })
      return types(seen).includes('create together')
    }))
  })
}

/** Until both have heard each other anyone who listens is told that something may have been missed. */
async function acquainted (...both: Process[]): Promise<boolean> {
  const heard = new Set<Process>()
  for (const each of both) {
    each.registry.bus.subscribe('acquaintance', { message: () => { heard.add(each) }, reset () {} })
  }
  return await comesTrue(() => {
    for (const { registry } of both) registry.bus.publish('acquaintance', null)
    return heard.size === both.length
  })
}

t.test('a folder says it in config.json, with variables', async t => {
  const folder = t.testdir({
    'config.json': JSON.stringify({ bus: { outbox: '${BUS_STORE}', namespace: 'folder' } }), // eslint-disable-line no-template-curly-in-string
    'datasources.json': JSON.stringify({ db: { connector: 'sqlite', file: 'app.db' } }),
    'model-config.json': '{}'
  })
  process.env.BUS_STORE = 'db'
  t.teardown(() => { delete process.env.BUS_STORE })
  const server = await createServer(folder, { log: false })
  t.teardown(() => server.stop())
  await server.fastify.ready()
  t.equal(server.fastify.registry.bus.driver, 'outbox')
})
