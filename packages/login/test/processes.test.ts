// FASTBACK_TEST_FULL: several processes.
/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Several processes on one database: states, sessions and codes are used once, whoever is asked. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { makeScratch, whyLeftOut } from '../../../test-fixtures/scratch.mjs'
import { scriptedProvider } from './provider.js'

interface Answer { status: number, headers: Record<string, string | string[]>, text: string }

async function races (t: Test, url: string): Promise<void> {
  const provider = await scriptedProvider(t)
  const script = fileURLToPath(new URL('process.js', import.meta.url))
  const children: ChildProcess[] = []
  // The first makes the tables.
  for (let i = 0; i < 2; i++) {
    const child = fork(script, [url, provider.issuer], { execArgv: [] })
    t.teardown(() => { child.kill() })
    children.push(child)
    await once(child, 'message')
  }
  const ask = async (i: number, method: string, address: string, cookie = '', payload?: string): Promise<Answer> => {
    const child = children[i % 2] as ChildProcess
    const answer = once(child, 'message')
    child.send({ method, url: address, cookie, payload })
    return (await answer)[0] as Answer
  }
  const cookieOf = ({ headers }: Answer): string =>
    [headers['set-cookie'] ?? []].flat().map(each => each.split(';')[0]).join('; ')
  for (let round = 0; round < 8; round++) {
    provider.person = { sub: `person ${round}` }
    const begun = await ask(round, 'GET', '/auth/op')
    const browser = cookieOf(begun)
    const back = (await fetch(begun.headers.location as string, { redirect: 'manual' })).headers.get('location') as string
    const address = back.replace('http://app.test', '')
    const both = await Promise.all([0, 1].map(i => ask(i, 'GET', address, browser)))
    t.strictSame(both.map(each => each.headers.location).sort(), ['/in', '/out'], `one callback of two: round ${round}`)
    const good = both.find(each => each.headers.location === '/in') as Answer
    const session = cookieOf(good)
    for (const i of [0, 1]) {
      t.match(JSON.parse((await ask(i, 'GET', '/whoami', session)).text), { id: Number }, 'both know the session')
    }
    await ask(round, 'POST', '/logout', session)
    for (const i of [0, 1]) t.match(JSON.parse((await ask(i, 'GET', '/whoami', session)).text), { id: null }, 'both know its end')
    const code = await ask(round + 1, 'GET', '/auth/code')
    const returned = (await fetch(code.headers.location as string, { redirect: 'manual' })).headers.get('location') as string
    const ended = await ask(round, 'GET', returned.replace('http://app.test', ''), cookieOf(code))
    const payload = `code=${(ended.headers.location as string).split('login_code=')[1] as string}`
    const exchanged = await Promise.all([0, 1].map(i => ask(i, 'POST', '/auth/exchange', '', payload)))
    t.strictSame(exchanged.map(({ status }) => status).sort(), [200, 400], 'one exchange of two')
  }
  provider.person = { sub: 'new to all' }
  const begun = await Promise.all([0, 1].map(i => ask(i, 'GET', '/auth/op')))
  const ways = await Promise.all(begun.map(async each =>
    (await fetch(each.headers.location as string, { redirect: 'manual' })).headers.get('location') as string))
  const ends = await Promise.all([0, 1].map(i =>
    ask(i, 'GET', (ways[i] as string).replace('http://app.test', ''), cookieOf(begun[i] as Answer))))
  t.strictSame(ends.map(each => each.headers.location), ['/in', '/in'])
  const ids = await Promise.all(ends.map(async (each, i) =>
    (JSON.parse((await ask(i, 'GET', '/whoami', cookieOf(each))).text) as { id: unknown }).id))
  t.equal(ids[0], ids[1], 'LG-49: one user, of the first logins at two processes at once')
}

t.test('LG-49, LG-72, LG-90, LG-92: two processes on one SQLite file', async t => {
  await races(t, `sqlite:${path.join(t.testdir(), 'db.sqlite')}`)
})

for (const name of ['postgres', 'mysql'] as const) {
  t.test(`LG-49, LG-72, LG-90, LG-92: two processes on one database: ${name}`, { skip: await whyLeftOut(name) }, async t => {
    const scratch = await makeScratch(name)
    t.teardown(scratch.remove)
    await races(t, scratch.url)
  })
}
