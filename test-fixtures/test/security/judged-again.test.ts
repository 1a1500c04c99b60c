/** What a client may say of a row depends on the row as it is when it is written: S-131. */
import Fastify from 'fastify'
import tap, { type Test } from 'tap'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'
import { isReachable, makeScratch } from '../../scratch.mjs'

type Loose = any

const definitions = [
  {
    name: 'Team',
    properties: { name: 'string' },
    relations: {
      members: { type: 'hasMany', model: 'Member', foreignKey: 'teamId', nestedWrite: true },
      captain: { type: 'hasOne', model: 'Member', foreignKey: 'captainOf' }
    }
  },
  {
    name: 'Member',
    forceId: false,
    bulk: true,
    properties: {
      id: { type: 'number', id: true },
      name: 'string', code: { type: 'string', writeOnce: true }, balance: { type: 'number', readOnly: true },
      address: 'Address', teamId: 'number', captainOf: 'number'
    }
  },
  { name: 'Address', base: 'Model', properties: { street: 'string', checked: { type: 'boolean', readOnly: true } } }
]

interface Served {
  readonly Member: Loose
  readonly Team: Loose
  ask (call: string, body: unknown): Promise<{ status: number, body: Loose }>
  /** What somebody else does once the next request has been judged. */
  meanwhile (work: () => Promise<unknown>): void
}

async function serve (t: Test, store: string): Promise<Served> {
  const scratch = store === 'postgres' ? await makeScratch('postgres') : undefined
  const db = store === 'memory'
    ? { connector: memoryConnector }
    : { connector: sqlConnector, url: scratch?.url ?? 'sqlite::memory:', migrate: 'reset' }
  const app = Fastify()
  const attached = { dataSource: 'db' }
  await app.register(core, {
    dataSources: { db } as Loose, definitions: definitions as Loose, models: { Team: attached, Member: attached }
  })
  await app.register(rest, { prefix: '/api' })
  t.teardown(async () => {
    await app.close()
    await scratch?.remove()
  })
  await app.ready()
  const { Member, Team } = app.models as Loose
  let work: (() => Promise<unknown>) | undefined
  Member.observe('before save', async () => {
    const now = work
    work = undefined
    await now?.()
  })
  return {
    Member,
    Team,
    meanwhile: next => { work = next },
    ask: async (call, body) => {
      const [method, path] = call.split(' ') as [Loose, string]
      const answer = await app.inject({ method, url: `/api${path}`, payload: body as object })
      return { status: answer.statusCode, body: JSON.parse(answer.body) }
    }
  }
}

const where = (id: number): string => encodeURIComponent(JSON.stringify({ id }))

/** Every way to change a row that is there. */
const ways: ReadonlyArray<readonly [call: (id: number) => string, data: (id: number, said: object) => unknown]> = [
  [id => `PATCH /Members/${id}`, (_, said) => said],
  [id => `PUT /Members/${id}`, (_, said) => said],
  [id => `POST /Members/${id}/replace`, (_, said) => said],
  [() => 'PATCH /Members', (id, said) => ({ id, ...said })],
  [() => 'PUT /Members', (id, said) => ({ id, ...said })],
  [() => 'POST /Members/replaceOrCreate', (id, said) => ({ id, ...said })],
  [id => `POST /Members/upsertWithWhere?where=${where(id)}`, (_, said) => said],
  [() => 'PUT /Members/bulk', (id, said) => ({ rows: [{ id, ...said }] })],
  [id => `PUT /Teams/1/members/${id}`, (_, said) => said],
  [() => 'PUT /Teams/1/captain', (_, said) => said],
  [() => 'PATCH /Teams/1', (id, said) => ({ members: [{ id, ...said }] })]
]

for (const store of ['memory', 'sqlite', 'postgres']) {
  const skip = store === 'postgres' && !await isReachable('postgres') ? 'no server answers' : false
  tap.test(`${store}: S-131 what is said once is not said by two at once`, { skip }, async t => {
    // Seen to fail: without the second look, both were 200, on PostgreSQL in 60 of 60 tries without any hook
    const { Member, Team, ask, meanwhile } = await serve(t, store)
    await Team.create({ name: 'one' })
    for (const [i, [call, data]] of ways.entries()) {
      const id = i + 1
      await Member.destroyAll()
      await Member.create({ id, name: 'ann', teamId: 1, captainOf: 1 })
      meanwhile(async () => { await Member.updateAll({ id }, { code: 'first' }) })
      const answer = await ask(call(id), data(id, { name: 'ben', code: 'second', teamId: 1, captainOf: 1 }))
      t.equal(answer.status, 409, `${call(id)} ${JSON.stringify(answer.body)}`)
      t.equal(answer.body.error.code, 'ROW_CHANGED', call(id))
      t.equal((await Member.findById(id)).name, 'ann', call(id))
      await Member.updateAll({ id }, { code: null })
      const alone = await ask(call(id), data(id, { name: 'ben', code: 'second', teamId: 1, captainOf: 1 }))
      t.equal(alone.status, 200, `${call(id)} ${JSON.stringify(alone.body)}`)
      t.equal((await Member.findById(id)).code, 'second', call(id))
    }
  })

  tap.test(`${store}: S-131 what a client may not set is not put back to what it was`, { skip }, async t => {
    // Seen to fail: a PUT beside a change of the server wrote the balance of before
    const { Member, Team, ask, meanwhile } = await serve(t, store)
    await Team.create({ name: 'one' })
    for (const [i, [call, data]] of ways.entries()) {
      const id = i + 1
      for (const said of [{}, { balance: 100 }, { address: { street: 'b' } }]) {
        await Member.destroyAll()
        await Member.create({
          id, name: 'ann', teamId: 1, captainOf: 1, balance: 100, address: { street: 'a', checked: true }
        })
        meanwhile(async () => {
          await Member.updateAll({ id }, { balance: 5, address: { street: 'a', checked: false } })
        })
        const what = `${call(id)} ${JSON.stringify(said)}`
        const answer = await ask(call(id), data(id, { name: 'ben', teamId: 1, captainOf: 1, ...said }))
        t.equal(answer.status, 'address' in said ? 409 : 200, `${what} ${JSON.stringify(answer.body)}`)
        const { balance, address, name } = await Member.findById(id)
        if (answer.status === 200) {
          t.same([balance, name, address?.checked ?? false], [5, 'ben', false], what)
        } else {
          // Where the store has transactions, the other write of this test may have been part of this one's.
          t.same([name, address.street], ['ann', 'a'], what)
        }
      }
    }
  })

  tap.test(`${store}: S-131 of two who make a row at once, one says what is said once`, { skip }, async t => {
    // Seen to fail: the second found the row, and changed it as if it were its own
    const { Member, ask } = await serve(t, store)
    for (let id = 1; id <= 5; id++) {
      const answers = await Promise.all(['a', 'b', 'c'].map(async code => await ask('PATCH /Members', { id, code })))
      const made = answers.filter(({ status }) => status === 200)
      t.equal(made.length, 1, JSON.stringify(answers))
      t.equal((await Member.findById(id)).code, made[0]?.body.code)
    }
  })

  tap.test(`${store}: S-131 hooks set what clients may not`, { skip }, async t => {
    // Seen to fail: what a hook wrote in the same request was taken for a change of somebody else (409)
    const { Member, ask } = await serve(t, store)
    let calls = 0
    Member.observe('before save', async ({ instance, data }: Loose) => { (data ?? instance).balance = 7 + calls })
    Member.observe('after save', async ({ instance, options }: Loose) => {
      if (calls++ % 2 === 0) await instance.updateAttributes({ name: 'carl' }, options)
    })
    await Member.create({ id: 1, name: 'ann', balance: 1 }, { notify: false })
    for (const call of ['PUT /Members/1', 'PATCH /Members/1']) {
      calls = 0
      const answer = await ask(call, { name: 'ben', code: 'x' })
      t.equal(answer.status, 200, JSON.stringify(answer.body))
      t.match(await Member.findById(1), { name: 'carl', code: 'x', balance: 8 }, call)
    }
  })
}
