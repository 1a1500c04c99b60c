/** Messages over stdio: the rules of their user hold, and no line is a fault of the server, or ends it. */
import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import { serveStdio, type StdioOptions } from '@fastback/mcp/stdio'
import { makeApp, row, type App } from './app.js'

type Loose = any

const definitions: Loose[] = [
  {
    name: 'Note',
    properties: { text: 'string', userId: 'number' },
    acls: [row('DENY', '$everyone'), row('ALLOW', '$authenticated', { rows: { userId: '$user.id' } })]
  },
  { name: 'Vault', properties: { gold: 'string' }, acls: [row('DENY', '$everyone'), row('ALLOW', 'admin')] }
]

interface Pipe {
  readonly app: App
  readonly faults: Error[]
  /** What the server has written, by line. */
  readonly lines: () => Loose[]
  /** Until it has ended. */
  readonly ended: Promise<void>
  readonly input: PassThrough
  /** Writes lines, and waits for the responses to the ids. */
  send (text: string | object, ...ids: unknown[]): Promise<Loose[]>
}

async function open (t: Test, who: string | undefined, options: StdioOptions = {}, mcp: object = {}): Promise<Pipe> {
  const slow = { running: 0, most: 0 }
  const app = await makeApp(t, {
    definitions,
    prepare: async ({ Note, Vault }) => {
      await Note.create([{ text: 'of ann', userId: 1 }, { text: 'of ben', userId: 2 }])
      await Vault.create({ gold: 'much' })
      Note.slow = async () => {
        slow.most = Math.max(slow.most, ++slow.running)
        await new Promise(resolve => setTimeout(resolve, 20))
        slow.running--
        return slow.most
      }
      Note.remoteMethod('slow', { http: { verb: 'get' }, returns: { arg: 'most', type: 'number' }, accessType: 'READ' })
    },
    mcp: { tools: { Note: ['find', 'create', 'slow'], Vault: ['find'] }, limits: { body: 20_000, json: 20 }, ...mcp }
  })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const faults: Error[] = []
  let text = ''
  output.setEncoding('utf8').on('data', (part: string) => { text += part })
  const ended = serveStdio(app, {
    input, output, onError: error => { faults.push(error) },
    ...(who === undefined ? {} : { authorization: `Bearer ${app.tokens[who] ?? who}` }), ...options
  })
  ended.catch(() => {})
  const lines = (): Loose[] => text.split('\n').slice(0, -1).map(line => JSON.parse(line) as Loose)
  return {
    app, faults, lines, ended, input,
    async send (sent, ...ids) {
      input.write(typeof sent === 'string' ? sent : `${JSON.stringify(sent)}\n`)
      const found = (): Loose[] => ids.map(id => lines().find(line => line.id === id))
      for (let n = 0; n < 300 && found().includes(undefined); n++) await new Promise(resolve => setTimeout(resolve, 10))
      return found()
    }
  }
}

const rpc = (id: unknown, method: string, params: object = {}): object => ({ jsonrpc: '2.0', id, method, params })
const call = (id: unknown, name: string, args: object = {}): object => rpc(id, 'tools/call', { name, arguments: args })
const codeOf = ({ error, result }: Loose): unknown =>
  error?.data?.error?.code ?? error?.code ?? result?.structuredContent?.error?.code

t.test('the rules of the user hold', async t => {
  const ann = await open(t, 'ann')
  const [found] = await ann.send(call(1, 'Note_find'), 1)
  t.same(found.result.structuredContent.data, [{ id: 1, text: 'of ann', userId: 1 }])
  const [refused] = await ann.send(call(2, 'Vault_find'), 2)
  t.equal(codeOf(refused), 'AUTHORIZATION_REQUIRED')
  const [taken] = await ann.send(call(3, 'Note_create', { data: { text: 'x', userId: 2 } }), 3)
  t.equal(codeOf(taken), 'ROW_CHECK_FAILED')
  const [listed] = await ann.send(rpc(4, 'tools/list'), 4)
  t.same(listed.result.tools.map(({ name }: Loose) => name), ['Note_find', 'Note_create', 'Note_slow'])
  t.match(ann.app.audit, [{ tool: 'Note_find', userId: 1, status: 200 }, { tool: 'Vault_find', userId: 1, status: 401 }, {}])
  const wrong = await open(t, 'x'.repeat(64))
  t.equal(codeOf((await wrong.send(call(1, 'Note_find'), 1))[0]), 'MCP_TOKEN_NEEDED', 'its client has the id back')
  const nobody = await open(t, undefined, {}, { anonymous: true })
  t.equal(codeOf((await nobody.send(call(1, 'Note_find'), 1))[0]), 'AUTHORIZATION_REQUIRED')
})

t.test('lines that are no messages, and hostile ones', async t => {
  const { send, faults, lines, app } = await open(t, 'ann')
  const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const unanswered = [
    '', '{', 'null', '"tools/call"', '[]', `[${JSON.stringify(rpc(1, 'tools/list'))}]`, '{}', '\u0000\u0001', '\r', deep(9_000),
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"Vault_find"}}'
  ]
  await send(`${unanswered.join('\n')}\n`)
  const attacks: Array<[sent: string | object, code: unknown]> = [
    [rpc('a', 'admin/shutdown'), -32601],
    [rpc('b', '__proto__'), -32601],
    [call('c', 'constructor'), -32602],
    [call('d', 'Note_find', { options: { skipAccess: true } }), 'MCP_INVALID_ARGUMENTS'],
    [rpc('e', 'tools/call', { name: 'Vault_find', _meta: { userId: 3, accessToken: { userId: 3 } } }), 'AUTHORIZATION_REQUIRED'],
    [rpc('f', 'resources/read', { uri: 'file:///etc/passwd' }), -32002],
    [`{"jsonrpc":"2.0","id":"g","method":"tools/list","params":{"x":${deep(30)}}}\n`, 'MALFORMED_JSON'],
    [`{"jsonrpc":"2.0","id":"h","method":"tools/list","params":{"x":${deep(9_000)}}}\n`, -32700],
    [call('i', 'Note_find', { filter: { where: { text: 'x'.repeat(30_000) } } }), 'FST_ERR_CTP_BODY_TOO_LARGE'],
    [call('j', 'Note_find', { filter: '{"limit":1000}' }), 'MCP_INVALID_ARGUMENTS']
  ]
  for (const [sent, code] of attacks) {
    const id = /"id":"(.)"/.exec(typeof sent === 'string' ? sent : JSON.stringify(sent))?.[1]
    const [response] = await send(sent, id)
    t.equal(codeOf(response ?? {}), code, JSON.stringify(sent).slice(0, 100))
  }
  t.equal(lines().length, attacks.length, 'nothing else was written')
  t.equal(faults.length, unanswered.length - 3, 'each line that is no message is reported')
  t.notMatch(faults.map(String).join(), /much/)
  t.match(await send(call('last', 'Note_find'), 'last'), [{ result: { structuredContent: { data: [{ id: 1 }] } } }])
  t.equal(app.audit.filter(({ tool }) => tool === 'Vault_find').every(({ status }) => status === 401), true)
})

t.test('a line without an end is not kept', async t => {
  const { input, ended, lines } = await open(t, 'ann', { maxLine: 100_000 })
  for (let n = 0; n < 3; n++) input.write('x'.repeat(60_000))
  await t.rejects(ended, { code: 'FBK_MCP_LINE_TOO_LONG', message: /100000 bytes/ })
  t.same(lines(), [])
})

t.test('many messages at once wait for each other', async t => {
  const { send, lines } = await open(t, 'ann', { atOnce: 3 })
  for (let id = 0; id < 12; id++) {
    // Chunks: what is in one is read at once.
    await send(call(id, 'Note_slow'))
    await new Promise(resolve => setImmediate(resolve))
  }
  await send('', 11)
  t.equal(lines().length, 12)
  t.ok(Math.max(...lines().map(({ result }) => result.structuredContent.data.most as number)) <= 4)
})

t.test('it ends with its input, after what began; with the signal; and with a client that reads no more', async t => {
  const first = await open(t, 'ann')
  await first.send(call(1, 'Note_slow'))
  first.input.end()
  await first.ended
  t.match(first.lines(), [{ id: 1, result: {} }])
  const end = new AbortController()
  const second = await open(t, 'ann', { signal: end.signal })
  await second.send(call(1, 'Note_find'), 1)
  end.abort()
  await second.ended
  const output = new PassThrough()
  const third = await open(t, 'ann', { output })
  await new Promise(resolve => setImmediate(resolve))
  output.destroy(new Error('EPIPE'))
  await third.ended
  const late = await open(t, 'ann', { grace: 1 })
  await late.send(call(1, 'Note_slow'))
  late.input.end()
  await late.ended
  t.same(late.lines(), [], 'the grace was over')
})
