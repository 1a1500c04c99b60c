/**
 * What receivers of webhooks hold is what their users see, after random writes by every way there is, with receivers
 * that fail at random: events once each, or doubled under the same id, in the order of the row where that is asked for.
 * One sequence on each store; FASTBACK_TEST_RUNS=126: 504 in all.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { makeApp, type App } from '../../../packages/events/test/webhooks/app.js'
import { Receiver, type Received } from '../../../packages/events/test/webhooks/receiver.js'
import { stores } from '../agreement-stores.js'
import { runsOf } from '../../runs.mjs'

const rounds = runsOf(1)
type Loose = any

const rule = (more: object): object => ({ principalType: 'ROLE', permission: 'ALLOW', ...more })
const definitions = [
  {
    name: 'Order',
    events: true,
    softDelete: true,
    version: true,
    strict: true,
    hidden: ['pin'],
    properties: {
      title: 'string', stars: 'number', at: 'date', pin: 'string', tags: ['string'], box: 'object', userId: 'number',
      slug: { type: 'string', index: { unique: true } }, teamId: 'number'
    },
    relations: { team: { type: 'belongsTo', model: 'Team', foreignKey: 'teamId' } },
    acls: [
      rule({ principalId: '$everyone', permission: 'DENY' }),
      rule({ principalId: 'admin' }),
      rule({
        principalId: '$authenticated', rows: { or: [{ userId: '$user.id' }, { stars: { gte: 3 } }] },
        fields: { read: ['*', '-tags'] }
      })
    ]
  },
  {
    name: 'Team',
    strict: true,
    properties: { name: 'string' },
    relations: { orders: { type: 'hasMany', model: 'Order', foreignKey: 'teamId', onDelete: 'cascade' } },
    acls: [rule({ principalId: '$everyone' })]
  },
  {
    name: 'Plain',
    events: true,
    history: true,
    strict: true,
    properties: { title: 'string', stars: 'number', userId: 'number' },
    acls: [
      rule({ principalId: '$everyone', permission: 'DENY' }),
      rule({ principalId: 'admin' }),
      rule({ principalId: '$owner' })
    ]
  }
]

/** What each of the people sees of the rows, by plain JavaScript. */
const seen: Record<string, Record<string, (row: Loose) => boolean>> = {
  ann: { Order: row => row.userId === 1 || row.stars >= 3, Plain: row => row.userId === 1 },
  adam: { Order: () => true, Plain: () => true }
}
const unread: Record<string, readonly string[]> = { ann: ['pin', 'tags', 'deletedAt'], adam: ['pin', 'deletedAt'] }

type Way = (app: App, id: number, n: number) => Promise<unknown>

/** Errors are part of life: a taken slug, a row that is not there. */
const ways: readonly Way[] = [
  ({ models }, _, n) => models.Order.create({ title: `t${n}`, stars: n, at: new Date(n), tags: ['a', `${n}`], pin: 'x', slug: `${n}`, userId: 1 + n % 2 }),
  ({ models }, _, n) => models.Order.create([{ title: 'a', stars: n, slug: `l${n}`, userId: 1 }, { title: 'b', box: { n }, slug: `m${n}`, userId: 2 }]),
  ({ models }, id, n) => models.Order.patchById(id, { title: `p${n}`, box: { deep: [n] } }),
  ({ models }, id, n) => models.Order.patchById(id, { userId: 1 + n % 2, stars: n }),
  ({ models }, id, n) => models.Order.replaceById(id, { title: `r${n}`, slug: `${n}`, userId: 1 + n % 2 }),
  ({ models }, _, n) => models.Order.updateAll({ stars: { lt: n } }, { stars: n, at: null }),
  ({ models }, _, n) => models.Order.updateAll({ title: { like: `%${n}` } }, { title: `u${n}`, userId: 1 + n % 2 }),
  ({ models }, id) => models.Order.deleteById(id),
  ({ models }, _, n) => models.Order.deleteAll({ stars: n }),
  ({ models }, id) => models.Order.restoreById(id),
  ({ models }, id, n) => models.Order.upsert({ id, title: `s${n}`, stars: n }),
  ({ models }, id, n) => models.Order.replaceOrCreate({ id, title: `o${n}`, slug: `${n}`, userId: 1 }),
  ({ models }, _, n) => models.Order.upsertWithWhere({ slug: `${n}` }, { title: `w${n}` }),
  ({ models }, _, n) => models.Order.findOrCreate({ where: { slug: `f${n}` } }, { slug: `f${n}`, title: 'f', userId: 1 }),
  async ({ models }, _, n) => await (await models.Team.create({ name: 'a' })).orders.create({ title: `c${n}`, userId: 1, stars: n }),
  ({ models }, _, n) => models.Team.deleteAll({ id: { gt: n } }),
  async ({ models }, id, n) => await Object.assign(await models.Order.findById(id), { stars: n }).save(),
  ({ models }, id, n) => models.Order.transaction(async (within: Loose) => {
    await within.Order.patchById(id, { title: `x${n}` })
    await within.Order.create({ title: `x${n}`, userId: 1 })
    await within.Order.patchById(id, { stars: n })
    if (n % 2 === 0) throw new Error('taken back')
  }),
  ({ models }, _, n) => models.Plain.create({ title: `l${n}`, stars: n, userId: 1 + n % 2 }),
  ({ models }, _, n) => models.Plain.updateAll({ stars: { lte: n } }, { title: `l${n}`, userId: 1 + n % 2 }),
  ({ models }, _, n) => models.Plain.deleteAll({ stars: n }),
  ({ send }, _, n) => send('adam', 'POST', '/Orders', { title: `h${n}`, stars: n, slug: `h${n}` }),
  ({ send }, id, n) => send('adam', 'PATCH', `/Orders/${id}`, { title: `hp${n}` }),
  ({ send }, id, n) => send('adam', 'PUT', `/Orders/${id}`, { title: `hr${n}`, userId: 1 }),
  ({ send }, id) => send('adam', 'DELETE', `/Orders/${id}`),
  ({ send }, id) => send('adam', 'POST', `/Orders/${id}/restore`),
  ({ send }, _, n) => send('adam', 'POST', `/Orders/update?where=${encodeURIComponent(JSON.stringify({ stars: n }))}`, { title: `hu${n}` }),
  ({ send }, id, n) => send('adam', 'POST', '/batch', {
    atomic: true,
    operations: [
      { method: 'PATCH', path: `/Orders/${id}`, body: { title: `b${n}` } },
      { method: 'POST', path: '/Plains', body: { title: `b${n}`, stars: n, userId: 1 } }
    ]
  }),
  // At the same time, also of one row: the row's lock says which is first.
  ({ models }, id, n) => Promise.all([
    models.Order.patchById(id, { stars: n }), models.Order.patchById(id, { userId: 1 + n % 2 }),
    models.Order.updateAll({ id }, { title: `z${n}` }), models.Plain.create({ title: 'z', userId: 1 })
  ].map(async each => await each.catch(() => {})))
]

const step = fc.record({ way: fc.nat(ways.length - 1), at: fc.nat(20), n: fc.nat(4), fails: fc.nat(9) })
const sequence = fc.array(step, { minLength: 10, maxLength: 30 })
type Steps = Array<{ way: number, at: number, n: number, fails: number }>

const json = (value: unknown): Loose => JSON.parse(JSON.stringify(value))
/** Nothing is as good as null. */
const said = (row: Loose, left: readonly string[] = []): Loose => Object.fromEntries(Object.entries(json(row))
  .filter(([name, value]) => value !== null && !left.includes(name)).sort(([a], [b]) => a < b ? -1 : 1))

/** Nothing waits, and nothing is on its way. */
async function drained (models: Record<string, Loose>): Promise<void> {
  for (let i = 0; i < 1500; i++) {
    const waiting = await models.FastbackEvent.count() as number +
      await models.WebhookDelivery.count({ state: { inq: ['new', 'sending', 'retrying'] } }) as number
    if (waiting === 0) return
    await sleep(10)
  }
  throw new Error('events did not arrive')
}

const deletes = ['deleted', 'left']

/** What a receiver holds that does as it is told. */
function replay (received: readonly Received[], t: Test): Map<string, Loose> {
  const rows = new Map<string, Loose>()
  for (const { type, data } of received) {
    const [model, happening] = type.split('.') as [string, string]
    const key = `${model} ${String(data.id)}`
    if (deletes.includes(happening)) {
      if (!rows.delete(key)) t.fail(`${type} of a row that the receiver does not have`)
    } else rows.set(key, said(data))
  }
  return rows
}

/** Those that count: a receiver leaves out what it has had. */
function once (received: readonly Received[], t: Test): Received[] {
  const known = new Map<string, Received>()
  for (const each of received) {
    const first = known.get(each.id)
    if (first === undefined) known.set(each.id, each)
    else if (first.body !== each.body) t.fail('a double says something else')
  }
  return [...known.values()]
}

async function run (app: App, receiver: Receiver, steps: Steps, t: Test): Promise<{ doubles: number, events: number }> {
  const { models } = app
  await models.Order.destroyAll({})
  await models.Order.deleteAll({}, { deleted: 'only' }).catch(() => {})
  await models.Plain.destroyAll({})
  await drained(models)
  await models.WebhookSubscription.destroyAll({})
  receiver.received.length = 0
  const taken: Received[] = []
  let failures: number[] = []
  receiver.respond = received => {
    const fails = failures.shift() ?? 9
    if (fails < 2) return 500
    taken.push(received)
    return fails === 2 ? 503 : 200
  }
  for (const who of ['ann', 'adam']) {
    for (const ordered of [true, false]) {
      const path = `/${who}-${ordered ? 'ordered' : 'loose'}`
      const { body } = await app.send(who, 'POST', '/WebhookSubscriptions', {
        url: receiver.url(path), events: ['Order.*', 'Plain.*'], ordered
      })
      receiver.secrets.set(path, body.secret)
    }
  }
  failures = steps.map(({ fails }) => fails)
  for (const { way, at, n } of steps) {
    const rows = await models.Order.find({ fields: ['id'], deleted: 'with' })
    const id = Number(rows[at % Math.max(1, rows.length)]?.id ?? 1)
    await ways[way]?.(app, id, n).catch(() => {})
  }
  await drained(models)
  let doubles = 0
  for (const who of ['ann', 'adam']) {
    const [ordered = [], loose = []] = ['ordered', 'loose'].map(kind => taken.filter(({ path }) => path === `/${who}-${kind}`))
    const own = once(ordered, t)
    const others = once(loose, t)
    doubles += ordered.length - own.length + loose.length - others.length
    const held = Object.fromEntries([...replay(own, t)].sort())
    const expected: Record<string, Loose> = {}
    for (const [name, sees] of Object.entries(seen[who] ?? {})) {
      for (const row of await models[name].find()) {
        const plain = row.toJSON()
        if (sees(plain)) expected[`${name.toLowerCase()} ${String(row.id)}`] = said(plain, unread[who])
      }
    }
    t.strictSame(held, Object.fromEntries(Object.entries(expected).sort()), `${who}: ${own.length} events`)
    const texts = (list: readonly Received[]): string[] => list.map(({ body }) => body).sort()
    t.strictSame(texts(others), texts(own), `${who}: the same without order`)
  }
  return { doubles, events: taken.length }
}

for (const [name, open] of stores) {
  if (name === 'sqlite beside memory' || name === 'mongodb') continue
  t.test(name, async (t: Test) => {
    const opened = await open(t)
    if (opened === undefined) { t.pass('there is no such server'); return }
    const receiver = await Receiver.open(t)
    const app = await makeApp(t, {
      definitions,
      store: opened.main,
      webhooks: { retryDelays: Array.from({ length: 30 }, () => 1), concurrencyPerHost: 20 },
      events: { pollInterval: 15 }, rest: { batch: true }
    })
    const total = { doubles: 0, events: 0 }
    for (const steps of fc.sample(sequence, { numRuns: rounds, seed: 11 }) as Steps[]) {
      const { doubles, events } = await run(app, receiver, steps, t)
      total.doubles += doubles
      total.events += events
      if (!t.passing()) { t.comment(JSON.stringify(steps)); break }
    }
    t.strictSame(receiver.faults, [], 'all signatures are right')
    t.comment(`${rounds} sequences, ${total.events} events, ${total.doubles} doubles`)
  })
}
