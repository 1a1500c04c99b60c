/** The routes of today below the path of a model (SYD-20 to SYD-26). */
import type { ArgumentDefinition, ModelClass, OperationOptions, RemoteMethodOptions } from '@fastback/core'
import { optionsArgument, setRemoteMethod } from '@fastback/core/remote'
import type { Readable } from 'node:stream'
import { live } from './live.js'
import { pull, type Pulled } from './pull.js'
import { push, type Pushed } from './push.js'
import { PullResponse, PushResponse, PushBody } from './wire-schemas.js'

const query = (arg: string, type: string, description: string): ArgumentDefinition =>
  ({ arg, type, description, http: { source: 'query' } })
const after = query('after', 'string', 'The cursor of last time; without it everything is new')
const filter = query('filter', 'object', 'An object with "where": which rows')
const version = query('version', 'number', 'The version of the rows that the client was made for')
/** Each row is judged by itself: rules for owners open the method, and then their rows. */
const judgesRows = true
const outdated = 'The client was made for another version of the rows: CLIENT_OUTDATED'
const gone = 'What changed since the cursor is forgotten, CURSOR_EXPIRED: begin again without "after"'

const routes: Readonly<Record<string, RemoteMethodOptions>> = {
  syncPull: {
    description: 'What changed since the cursor of last time, in pages.',
    accepts: [after, query('limit', 'number', 'Changes in one page, 1 to 1,000. Default: 500'), filter, version, optionsArgument],
    returns: PullResponse,
    http: { verb: 'get', path: '/sync/pull' },
    accessType: 'READ',
    judgesRows,
    responses: { 409: outdated, 410: gone }
  },
  syncPush: {
    description: 'Writes of a client, each upon the revision that it knew.',
    accepts: [
      { arg: 'changes', type: 'object', required: true, http: { source: 'body' }, jsonSchema: PushBody as unknown as Record<string, unknown> },
      {
        arg: 'Idempotency-Key', type: 'string', http: { source: 'header' },
        description: 'Under it the same request is answered the same again'
      },
      optionsArgument
    ],
    returns: PushResponse,
    http: { verb: 'post', path: '/sync/push', status: 200 },
    accessType: 'WRITE',
    judgesRows,
    responses: { 409: outdated, 413: 'There are more than 1,000 changes', 422: 'The key was sent with another body, or the store cannot write all or none' }
  },
  syncLive: {
    description: 'Events "changed" when there may be something to pull.',
    accepts: [after, filter, version, optionsArgument],
    returns: { arg: 'events', type: 'ReadableStream', json: true },
    http: { verb: 'get', path: '/sync/live' },
    accessType: 'READ',
    judgesRows,
    endsWithToken: true,
    responses: { 409: outdated, 410: gone }
  }
}

const statics = {
  async syncPull (
    this: ModelClass, after: unknown, limit: unknown, filter: unknown, version: unknown, options?: OperationOptions
  ): Promise<Pulled> {
    return await pull(this, { after, limit, filter, version }, options)
  },
  async syncPush (this: ModelClass, body: unknown, key?: string, options?: OperationOptions): Promise<Pushed> {
    return await push(this, body, key, options)
  },
  async syncLive (
    this: ModelClass, after: unknown, filter: unknown, version: unknown, options: OperationOptions = {}
  ): Promise<Readable> {
    return await live(this, { after, filter, version }, options)
  }
}

/** Publishes them with the model. */
export function addWire (Model: ModelClass): void {
  for (const [name, value] of Object.entries(statics)) {
    if (!Object.hasOwn(Model, name)) {
      Object.defineProperty(Model, name, { value, writable: true, configurable: true, enumerable: false })
    }
  }
  for (const [name, route] of Object.entries(routes)) setRemoteMethod(Model, name, route)
}
