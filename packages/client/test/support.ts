/** A real server on a real socket, whose answers can be lost, and clients whose line can be cut. */
import Fastify, { type FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { core, ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { rest } from '@fastback/rest'
import { sync } from '@fastback/sync'
import { createClient, memoryStore, type Client, type ClientOptions, type Store } from '@fastback/client'

export type Loose = any

export interface Note { id: string, title: string, rank?: number | null, at?: string | null, tags?: string[] | null }

export type Models = { Note: Note, Tag: Note }

interface Answer { readonly status: number, readonly headers?: Record<string, string>, readonly body?: object }

export interface Served {
  readonly app: FastifyInstance
  readonly models: Loose
  readonly baseUrl: string
  /** What happens to requests: undefined, nothing. */
  line: {
    /** Requests are done, and their responses are lost. */
    losesAnswers: boolean
    /** What is answered in place of what was asked, for the requests that it gives something for. */
    answers: ((url: string) => Answer | undefined) | undefined
  }
  /** Paths that were asked for, with their methods. */
  readonly asked: string[]
}

const noteProperties = {
  id: { type: 'string', id: true, defaultFn: 'guid' },
  title: { type: 'string', required: true },
  rank: 'number',
  at: 'date',
  tags: ['string']
}

/** @param definitions of models besides `Note` and `Tag` */
export async function serve (t: Pick<Test, 'teardown'>, definitions: Loose[] = [], options: object = {}): Promise<Served> {
  const registry = new ModelRegistry({ log: { warn () {}, info () {}, debug () {} } as never })
  registry.defineDataSource('db', { connector: memoryConnector })
  for (const definition of [{ name: 'Note' }, { name: 'Tag' }, ...definitions]) {
    registry.defineModel({ trackChanges: true, strict: true, properties: noteProperties, ...definition })
    registry.attach(definition.name, 'db', { public: true })
  }
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(async () => { await app.close() })
  const line: Served['line'] = { losesAnswers: false, answers: undefined }
  const asked: string[] = []
  app.addHook('onRequest', async (request, reply) => {
    asked.push(`${request.method} ${request.url.split('?')[0] ?? ''}`)
    const given = line.answers?.(request.url)
    if (given !== undefined) await reply.code(given.status).headers(given.headers ?? {}).send(given.body ?? { error: { statusCode: given.status, message: 'no' } })
  })
  app.addHook('onSend', async request => { if (line.losesAnswers) request.raw.socket.destroy() })
  await app.register(core, { registry })
  await app.register(sync, options)
  await app.register(rest, { prefix: '/api' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, models: registry.models, baseUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api`, line, asked }
}

export interface Device {
  readonly client: Client<Models>
  readonly store: Store
  /** Whether it has a line. */
  isOnline: boolean
}

/** A client that syncs when it is told to, unless `options` says else. */
export function device (
  t: Pick<Test, 'teardown'>, { baseUrl }: Pick<Served, 'baseUrl'>, options: Partial<ClientOptions<Models>> = {}
): Device {
  const made = { store: options.store ?? memoryStore(), isOnline: true } as { -readonly [K in keyof Device]: Device[K] }
  made.client = createClient<Models>({
    baseUrl,
    models: { Note: {}, Tag: {} },
    automatic: false,
    retry: { first: 5, most: 20 },
    ...options,
    store: made.store,
    fetch: async (...given) => {
      if (!made.isOnline) throw new TypeError('fetch failed')
      return await fetch(...given)
    }
  })
  t.teardown(async () => { await made.client.close() })
  return made
}

/** Waits until something holds. */
export async function until (holds: () => unknown): Promise<void> {
  while (!await holds()) await new Promise(resolve => { setTimeout(resolve, 5) })
}
