/**
 * What the tests of `security.md`'s rules share: a server on a real socket for an application folder of
 * `test-fixtures/apps`, once per store.
 *
 * A test's name begins with the rule (`S-11 a hidden property cannot be asked about: order`), its first line is a
 * comment `Seen to fail: …` that says which line or setting was weakened to see it do so. `npm run security-rules`
 * prints the rules with their tests and misses what has none.
 */
import { request as httpRequest, Agent, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import tap, { type Test } from 'tap'
import { createServer, type ServerOptions } from '@fastback/boot'
import { logSerializers, redactPaths } from '@fastback/rest'
import { isReachable, makeScratch, type Server } from '../../scratch.mjs'
import { hashCheaply } from './cheap-hasher.js'

type DataSource = Readonly<Record<string, unknown>>
export type Row = Record<string, unknown>

interface Store {
  readonly dataSource: DataSource
  remove (): Promise<void>
}

/** What a new, empty store takes: none where there is nothing to remove. */
const local = (dataSource: DataSource) => async (): Promise<Store> => ({ dataSource, remove: async () => {} })

/**
 * The stores that every rule holds on, by name; database servers where they are reachable, each test in a schema of its
 * own.
 */
const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: local({ connector: 'memory' }),
  sqlite: local({ connector: 'sql', url: 'sqlite::memory:' }),
  ...Object.fromEntries((await reachable()).map(server => [server, async () => {
    const { url, remove } = await makeScratch(server)
    return { dataSource: { connector: 'sql', url, migrate: 'reset', poolSize: 5 }, remove }
  }]))
}

/** SQLite, which has what database servers have; with FASTBACK_TEST_FULL, as continuous integration sets it, all. */
export const storeNames = Object.keys(stores)
  .filter(name => process.env.FASTBACK_TEST_FULL !== undefined || name === 'sqlite')

async function reachable (): Promise<Server[]> {
  const names: Server[] = ['postgres', 'mysql']
  const are = await Promise.all(names.map(isReachable))
  return names.filter((_name, i) => are[i])
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body; undefined where it is not JSON. */
  readonly body: unknown
  /** `error.code` of the body. */
  readonly code: string | undefined
}

export interface Sent {
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly payload?: string | Buffer
  /** Media type of the payload. Default: `application/json`. */
  readonly type?: string
  /** An access token. */
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** What comes before the path. Default: `/api`. */
  readonly prefix?: string
}

/** What tests use of models in the process. */
export interface Model {
  create (data: object): Promise<Row>
  find (filter?: object): Promise<Row[]>
  findById (id: unknown): Promise<Row | null>
  count (where?: object): Promise<number>
  destroyAll (where?: object): Promise<unknown>
  [method: string]: unknown
}

/** A server under attack. */
export interface Attacked {
  readonly store: string
  readonly models: Readonly<Record<string, Model>>
  readonly port: number
  /** Sends a request; the path goes out below `/api`, exactly as written. */
  send (verb: string, path: string, sent?: Sent): Promise<Answer>
  /**
   * Bytes on a connection of their own, and what came back until the server closed it (or fell silent for half a
   * second).
   */
  raw (bytes: string | Buffer): Promise<string>
  /** All that was logged so far, at every level. */
  logged (): string
  /** What the store holds, to see that nothing changed: all rows of these models as JSON. */
  rows (...models: string[]): Promise<string>
}

/** Declares the tests of a file, once for each of `storeNames`. */
export async function onEveryStore (
  app: string,
  tests: (t: Test, server: Attacked) => void | Promise<void>
): Promise<void> {
  for (const store of storeNames) {
    await tap.test(store, async t => {
      await tests(t, await attack(t, app, store))
    })
  }
}

export interface AttackOptions extends ServerOptions {
  /**
   * Passwords are hashed as they are in production, where that is the subject. Default: with next to no work.
   */
  readonly realHashes?: boolean
}

/** Starts the server for one store. `options` are those of the server; the data source `db` is the store. */
export async function attack (
  t: Test,
  app: string,
  store: string,
  { realHashes = false, ...options }: AttackOptions = {}
): Promise<Attacked> {
  const folder = fileURLToPath(new URL(app, new URL('../../apps/', import.meta.url)))
  if (!realHashes) hashCheaply(t)
  const { dataSource, remove } = await (stores[store] as typeof stores[string])()
  const dataSources = { db: dataSource, ...options.dataSources }
  const lines: string[] = []
  const server = await createServer(folder, {
    env: 'test',
    log: collector(lines),
    port: 0,
    host: '127.0.0.1',
    ...options,
    dataSources
  })
  const agent = new Agent({ keepAlive: true })
  t.teardown(async () => {
    agent.destroy()
    await server.stop()
    await remove()
  })
  const port = Number(new URL(await server.start()).port)
  const models = server.fastify.models as unknown as Record<string, Model>
  return {
    store,
    models,
    port,
    send: async (verb, path, sent) =>
      await exchange({ agent, port, verb, path: `${sent?.prefix ?? '/api'}${path}` }, sent),
    logged: () => lines.join('\n'),
    raw: async bytes => await onConnection(port, bytes),
    rows: async (...names) =>
      JSON.stringify(
        await Promise.all(names.map(async name => await (models[name] as Model).find())),
        (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)
      )
  }
}

/** A logger as `createServer` makes it, at the level that tells most, that writes to a list. */
const collector = (lines: string[]) =>
  Fastify({
    logger: {
      level: 'trace',
      serializers: logSerializers,
      redact: [...redactPaths],
      stream: {
        write: (line: string) => {
          lines.push(line)
        }
      }
    }
  }).log

interface Target { agent: Agent, port: number, verb: string, path: string }

async function exchange (
  { agent, port, verb, path }: Target,
  { json, payload, type, token, headers }: Sent = {}
): Promise<Answer> {
  const body = json === undefined ? payload : JSON.stringify(json)
  return await new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        agent,
        host: '127.0.0.1',
        port,
        method: verb,
        path,
        headers: {
          ...(body === undefined
            ? {}
            : { 'content-type': type ?? 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...(token === undefined ? {} : { authorization: token }),
          ...headers
        }
      },
      incoming => {
        // A stream that was not refused has no end.
        if (incoming.headers['content-type']?.startsWith('text/event-stream') === true) {
          outgoing.destroy()
          resolve(answerOf(incoming.statusCode as number, incoming.headers, 'an event stream'))
          return
        }
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
        })
        incoming.on('error', reject)
        incoming.on('end', () => {
          resolve(answerOf(incoming.statusCode as number, incoming.headers, Buffer.concat(chunks).toString()))
        })
      }
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function answerOf (status: number, headers: IncomingHttpHeaders, text: string): Answer {
  const body =
    headers['content-type']?.includes('json') === true && text !== '' ? (JSON.parse(text) as unknown) : undefined
  const code = (body as { error?: { code?: string } } | null | undefined)?.error?.code
  return { status, headers, text, body, code }
}

async function onConnection (port: number, bytes: string | Buffer): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const done = (): void => {
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    socket.on('data', chunk => { chunks.push(chunk); socket.setTimeout(500, done) })
    socket.setTimeout(10_000, done)
    socket.on('end', done)
    socket.on('error', error => { if (chunks.length > 0) done(); else reject(error) })
    socket.write(bytes)
  })
}

/** `filter=…` with the filter as JSON text. */
export const filterText = (filter: unknown, name = 'filter'): string =>
  `${name}=${encodeURIComponent(JSON.stringify(filter))}`

/** `filter[where][name]=x`: the same in bracket notation. */
export function brackets (value: unknown, name = 'filter'): string {
  if (value === null || typeof value !== 'object') {
    return `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
  }
  return Object.entries(value).map(([key, each]) => brackets(each, `${name}[${key}]`)).join('&')
}
