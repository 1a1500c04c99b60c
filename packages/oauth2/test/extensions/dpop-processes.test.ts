// FASTBACK_TEST_FULL: several processes.
/** Two processes on one data source (OI-07, OI-156): a proof works once, and a nonce of one is good at the other. */
import { setTimeout as wait } from 'node:timers/promises'
import path from 'node:path'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { makeScratch, whyLeftOut } from '../../../../test-fixtures/scratch.mjs'
import { asWeb, makeServer, token } from '../server.js'
import { proof, proofKey } from './proofs.js'

const rounds = 25
const secret = 'a secret of all processes'

async function races (t: Test, url: string): Promise<void> {
  const dpop = { nonce: true, nonceSecret: secret }
  const server = await makeServer(t, {
    connector: sqlConnector, settings: { url, migrate: 'update' }, realHashes: true, options: { dpop }
  })
  const script = fileURLToPath(new URL('dpop-process.js', import.meta.url))
  const children: ChildProcess[] = [1, 2].map(() => fork(script, [url, JSON.stringify(dpop)], { execArgv: ['--conditions=unbundled'] }))
  t.teardown(() => { for (const child of children) child.kill() })
  await Promise.all(children.map(child => once(child, 'message')))
  const key = await proofKey()
  const send = async (child: ChildProcess, proofText: string, at: number): Promise<number> => {
    const response = once(child, 'message')
    child.send({ headers: { ...asWeb, dpop: proofText }, at })
    return (await response)[0] as number
  }
  const nonce = (await token(server, { grant_type: 'client_credentials' }, asWeb)).headers['dpop-nonce']
  for (const child of children) {
    t.equal(await send(child, await proof(key, { claims: { nonce } }), 0), 200, 'a nonce of another process')
  }
  const counts: Record<string, number> = {}
  for (let i = 0; i < rounds; i++) {
    const text = await proof(key, { claims: { nonce } })
    const at = Date.now() + 15
    const outcome = (await Promise.all(children.map(child => send(child, text, at)))).sort().join(' ')
    counts[outcome] = (counts[outcome] ?? 0) + 1
    await wait(1)
  }
  t.strictSame(counts, { '200 400': rounds }, `OI-156: ${rounds} races`)
}

t.test('P-32: two processes on one SQLite file', async t => {
  await races(t, `sqlite:${path.join(t.testdir(), 'db.sqlite')}`)
})

for (const name of ['postgres', 'mysql'] as const) {
  t.test(`two processes on one database: ${name}`, { skip: await whyLeftOut(name) }, async t => {
    const scratch = await makeScratch(name)
    t.teardown(scratch.remove)
    await races(t, scratch.url)
  })
}
