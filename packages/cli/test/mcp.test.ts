// FASTBACK_TEST_FULL: processes that agents start.
/** `fastback mcp`: a folder over stdio, by the official client. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { start } from './child.js'
import { run } from './terminal.js'

type Loose = any

const rule = (permission: string, principalId: string, more = {}) => ({ principalType: 'ROLE', principalId, permission, ...more })

const models = {
  _meta: { sources: ['./models'] },
  User: { dataSource: 'db', public: true },
  ...Object.fromEntries(['AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name => [name, { dataSource: 'db', public: false }])),
  Note: { dataSource: 'db', public: true },
  City: { dataSource: 'db', public: true }
}

const note = {
  name: 'Note',
  properties: { text: 'string', ownerId: 'number' },
  acls: [rule('DENY', '$everyone'), rule('ALLOW', '$authenticated', { rows: { ownerId: '$user.id' } })]
}

const folder = {
  'package.json': '{ "type": "module" }',
  server: {
    'config.json': '{}',
    'datasources.json': JSON.stringify({ db: { connector: 'sql', url: 'sqlite:notes.db', migrate: 'update' } }),
    'model-config.json': JSON.stringify(models),
    models: { 'note.json': JSON.stringify(note), 'city.json': JSON.stringify({ name: 'City', properties: { name: 'string' } }) },
    boot: { 'auth.js': 'export default async app => { app.enableAuth(); console.log("printed by a boot script"); app.on("started", () => { console.log("LISTENS") }) }' }
  },
  seeds: {
    'all.mjs': `import { writeFileSync } from 'node:fs'
    export default async ({ models: { User, AccessToken, Note, City }, optionsOf }) => {
      const [ann, ben] = await User.create(['ann', 'ben'].map(name => ({ email: name + '@x.test', password: 'secret-' + name })), optionsOf(User))
      writeFileSync(new URL('../token.txt', import.meta.url), (await AccessToken.create({ userId: ben.id, ttl: 1000 }, optionsOf(AccessToken))).id)
      await Note.create([{ text: 'of ann', ownerId: ann.id }, { text: 'of ben', ownerId: ben.id }], optionsOf(Note))
      await City.create({ name: 'Rome' }, optionsOf(City))
    }`
  }
}

let cwd = ''

t.before(async () => {
  cwd = t.testdir(folder)
  for (const command of ['migrate', 'seed']) t.match(await run(cwd, [command]), { code: 0 })
})

const bin = fileURLToPath(new URL('../bin/fastback.js', import.meta.url))

interface Opened { readonly client: Client, readonly transport: StdioClientTransport, readonly err: () => string }

/** The official client, which starts the command. */
async function open (t: Test, args: string[] = [], env: Record<string, string> = {}, dir = cwd): Promise<Opened> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...args],
    cwd: dir,
    stderr: 'pipe',
    env: { PATH: process.env.PATH as string, NODE_OPTIONS: process.env.NODE_OPTIONS ?? '', ...env }
  })
  let err = ''
  transport.stderr?.on('data', part => { err += String(part) })
  const client = new Client({ name: 'test', version: '1.0.0' })
  client.onerror = error => { t.fail(`no line of the output is anything else: ${error.message}`) }
  t.teardown(async () => { await client.close() })
  await client.connect(transport)
  return { client, transport, err: () => err }
}

const names = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name)
const call = async (client: Client, name: string, args: object = {}): Promise<Loose> => {
  const { structuredContent } = await client.callTool({ name, arguments: args as never }) as Loose
  return structuredContent.error?.code ?? structuredContent.data
}

t.test('a folder without the component: published reads, for a caller who is not logged in', async t => {
  const { client, err } = await open(t)
  t.same((await names(client)).sort(), ['City_count', 'City_find', 'City_findById'])
  t.same(await call(client, 'City_find'), [{ name: 'Rome', id: 1 }])
  t.equal(await call(client, 'Note_find'), 'AUTHORIZATION_REQUIRED')
  t.match(err(), 'printed by a boot script')
})

t.test('--user, --tools, --token', async t => {
  const { client: ann } = await open(t, ['--user', '1', '--tools', 'Note.find,Note.create'])
  t.same(await names(ann), ['Note_find', 'Note_create'])
  t.same(await call(ann, 'Note_find'), [{ text: 'of ann', ownerId: 1, id: 1 }])
  t.equal(await call(ann, 'Note_create', { data: { text: 'x', ownerId: 2 } }), 'ROW_CHECK_FAILED')
  const token = readFileSync(path.join(cwd, 'token.txt'), 'utf8')
  const { client: ben } = await open(t, [cwd, '--token', token], {}, path.dirname(cwd))
  t.same(await call(ben, 'Note_find'), [{ text: 'of ben', ownerId: 2, id: 2 }])
  const { client: same } = await open(t, [], { FASTBACK_TOKEN: token })
  t.same(await call(same, 'Note_count'), { count: 1 })
})

t.test('it ends with its input and with SIGTERM, with 0, and listens nowhere', async t => {
  const first = start(t, ['mcp', cwd])
  t.equal(await first.exited, 0, 'its input is empty')
  t.equal(first.out, '')
  const { client, transport, err } = await open(t)
  await names(client)
  const ended = new Promise<unknown>(resolve => { (transport as Loose)._process.once('exit', (...how: unknown[]) => { resolve(how) }) })
  process.kill(transport.pid as number, 'SIGTERM')
  t.same(await ended, [0, null])
  t.notMatch(err(), /LISTENS|error/)
})

t.test('what it refuses', async t => {
  const refused = async (code: number, err: RegExp, ...args: string[]): Promise<void> => {
    t.match(await run(cwd, ['mcp', ...args]), { code, out: '', err })
  }
  await refused(2, /not both/, '--user', '1', '--token', 'x')
  await refused(2, /needs "--user"/, '--user-model', 'User')
  await refused(2, /"Note\.find,Note\.create"; not "find"/, '--tools', 'find')
  await refused(1, /^error FBK_AUTH_UNKNOWN_USER: .*no User with the id "9"/, '--user', '9')
  await refused(1, /^error FBK_MCP_UNKNOWN_TOOL: .*"Nothing"/, '--tools', 'Nothing.find')
  const open = t.testdir({
    server: {
      'config.json': '{}',
      'datasources.json': '{ "db": { "connector": "memory" } }',
      'model-config.json': '{ "_meta": { "sources": ["./models"] }, "City": { "dataSource": "db" } }',
      models: { 'city.json': '{ "name": "City" }' }
    }
  })
  // A process of its own: the applications of one share their models.
  const child = start(t, ['mcp', open, '--user', '1'])
  t.equal(await child.exited, 1)
  t.match(child.err, /^error FBK_CLI_NO_TOKENS: /)
})

t.test('a folder with the component: its tools, and nothing of who may come over HTTP', async t => {
  const options = { tools: { City: ['find'] }, name: 'cities', origins: ['https://a.test'] }
  writeFileSync(path.join(cwd, 'server/component-config.json'), JSON.stringify({ '@fastback/mcp': options }))
  const { client } = await open(t)
  t.same(await names(client), ['City_find'])
  t.equal(client.getServerVersion()?.name, 'cities')
})
