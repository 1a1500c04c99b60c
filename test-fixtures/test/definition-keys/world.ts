/** A small application around one definition: what a key of it does is asked for by requests, and in the process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import acl from '@fastback/acl'
import auth from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector as sql } from '@fastback/connector-sql'
import core, { ModelRegistry } from '@fastback/core'
import { openApiDocument } from '@fastback/explorer'
import rest from '@fastback/rest'
import { storageConnector as storage } from '@fastback/storage'
import sync from '@fastback/sync'

/* Tests say what they ask for, and not what its type is. */
export type Loose = any

export interface Answer { readonly status: number, readonly body: Loose }

export interface World {
  readonly app: FastifyInstance
  readonly registry: Loose
  readonly models: Loose
  /** The model that the key is of. */
  readonly Note: Loose
  /** Folder of the files of properties. */
  readonly files: string
  /** What the log has warned of. */
  readonly told: readonly string[]
  send (method: string, path: string, payload?: unknown, headers?: Record<string, string>): Promise<Answer>
  document (): Loose
}

export interface Parts {
  /** Defined in this order; the first is the model that the key is of. */
  readonly definitions: readonly Loose[]
  /** Models that have routes beside the first: routes are most of what an application costs. */
  readonly shown?: readonly string[]
  /** Models that these extend. */
  readonly prior?: readonly Loose[]
  /** Settings of entries in model-config.json, by model. */
  readonly entries?: Readonly<Record<string, object>>
  /** Settings of the application. */
  readonly settings?: object
  /** Plugins beside core and rest. */
  readonly plugins?: ReadonlyArray<'acl' | 'sync'>
  /** Of the first model's data source. Default: memory. */
  readonly store?: object
  /** Mixins that definitions may name. */
  readonly mixins?: Readonly<Record<string, (Model: Loose, options: Loose) => void>>
  /** What code adds before the routes are made. */
  readonly prepare?: (models: Loose, registry: Loose) => void
}

/** Starts the application. @throws what the start of it throws */
export async function world (t: Test, parts: Parts): Promise<World> {
  const { definitions, prior = [], entries = {}, settings = {}, plugins = [], shown = [], mixins = {}, prepare } = parts
  const told: string[] = []
  const log = { warn: (_fields: object, line: string) => { told.push(line) }, info () {}, debug () {} }
  const files = mkdtempSync(join(tmpdir(), 'keys-'))
  const registry = new ModelRegistry({ log, settings: { ...settings } }) as Loose
  registry.connectors.register('memory', memoryConnector)
  registry.connectors.register('storage', storage)
  registry.connectors.register('sqlite', sql)
  registry.defineDataSource('db', parts.store ?? { connector: 'memory' })
  registry.defineDataSource('files', { connector: 'storage', root: files })
  const app = Fastify()
  t.teardown(async () => {
    await app.close()
    // A tick of the event loop, for what is held until its end.
    await setImmediate()
    rmSync(files, { recursive: true, force: true })
  })
  await app.register(core, { registry })
  const withAccess = plugins.includes('acl')
  if (withAccess) {
    await app.register(auth, { rateLimit: false })
    await app.register(acl)
    for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']) {
      registry.attach(name, 'db', { public: shown.includes(name) })
    }
  }
  for (const [name, mixin] of Object.entries(mixins)) registry.defineMixin(name, mixin)
  for (const definition of [...prior, ...definitions]) registry.defineModel(definition)
  const first = definitions[0].name
  for (const { name } of definitions) registry.attach(name, 'db', { public: name === first || shown.includes(name), settings: entries[name] ?? {} })
  if (plugins.includes('sync')) await app.register(sync as Loose)
  prepare?.(registry.models, registry)
  await app.register(rest, { prefix: '/api', accessControl: withAccess })
  await app.ready()
  const { models } = registry
  return {
    app,
    registry,
    models,
    Note: models[first],
    files,
    told,
    document: () => openApiDocument(registry),
    async send (method, path, payload, headers = {}) {
      const answer = await app.inject({
        method: method as 'GET', url: `/api${path}`, headers, ...payload === undefined ? {} : { payload: payload as object }
      })
      return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
    }
  }
}

/** What a key does: `shows` asks for it, and throws or fails where it does not. */
export interface Effect {
  readonly shows: (t: Test, world: World) => Promise<void>
}

/** A key that definitions of others have: strict ones refuse it. */
export interface Refused {
  readonly refused: unknown
  readonly inJsonAlone?: true
}

/** An effect that takes more than one process, or a store of its own: the test that asks for it. */
export interface AskedElsewhere { readonly provenIn: string }
