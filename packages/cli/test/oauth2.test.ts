/** `fastback oauth2 rotate-keys`, beside a running server on the same database (OI-38). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer } from '@fastback/boot'
import { main } from '../src/index.js'

async function folder (t: Test, openid: boolean): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'fastback-oauth2-'))
  t.teardown(async () => { await rm(dir, { recursive: true, force: true }) })
  const files = {
    'package.json': { name: 'shop' },
    'server/config.json': { restApiRoot: '/api' },
    'server/datasources.json': { db: { connector: 'sql', url: `sqlite:${path.join(dir, 'db.sqlite')}`, migrate: 'update' } },
    'server/model-config.json': { User: { dataSource: 'db' }, AccessToken: { dataSource: 'db' } },
    'server/component-config.json': {
      '@fastback/oauth2': { dataSource: 'db', supportedGrantTypes: ['authorizationCode'], ...openid ? { openid: true } : {} }
    }
  }
  await mkdir(path.join(dir, 'server'))
  for (const [name, value] of Object.entries(files)) await writeFile(path.join(dir, name), JSON.stringify(value))
  return dir
}

async function run (cwd: string, ...argv: string[]): Promise<{ code: number, out: string, err: string }> {
  const text = { out: '', err: '' }
  const code = await main(['oauth2', ...argv], {
    cwd,
    env: {},
    interactive: false,
    print: line => { text.out += `${line}\n` },
    complain: line => { text.err += `${line}\n` }
  })
  return { code, ...text }
}

t.test('OI-38: keys are rotated and revoked from the command line', async t => {
  const dir = await folder(t, true)
  const server = await createServer(dir, { log: false })
  t.teardown(() => server.stop())
  const kids = async (): Promise<string[]> =>
    (await server.fastify.inject('/oauth/jwks')).json().keys.map(({ kid }: { kid: string }) => kid)
  const [first] = await kids()
  const rotated = await run(dir, 'rotate-keys', '.', '--json')
  t.equal(rotated.code, 0, rotated.err)
  const { current: [second] } = JSON.parse(rotated.out)
  t.strictSame((await kids()).sort(), [first, second].sort(), 'the server publishes both')
  const revoked = await run(dir, 'rotate-keys', '--revoke', second)
  t.match(revoked.out, new RegExp(`signs from now on[^]*${second} is revoked`))
  const left = await kids()
  t.notOk(left.includes(second))
  t.equal(left.length, 2)
  t.match(await run(dir, 'rotate-keys', '--revoke', 'nobody'), { code: 1, err: /no signing key "nobody"/ })
  t.match(await run(dir, 'renew'), { code: 2, err: /There is no "oauth2 renew"/ })
})

t.test('an application without keys', async t => {
  t.match(await run(await folder(t, false), 'rotate-keys'), { code: 1, err: /FBK_CLI_NO_SIGNING_KEYS|no keys that sign/ })
})
