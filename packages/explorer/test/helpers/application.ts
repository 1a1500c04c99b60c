/**
 * A small application with everything that a description has to say: guarded models, relations, hidden things, methods
 * of every kind.
 */
import type { ServerResponse } from 'node:http'
import core, { RequestError, type ModelClass, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import rest, { type RestOptions } from '@fastback/rest'
import type { ArgumentFile } from '@fastback/rest/multipart'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import { explorer, type ExplorerOptions } from '../../src/index.js'

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Note',
    description: 'What somebody wrote down',
    strict: true,
    properties: {
      title: { type: 'string', required: true, jsonSchema: { minLength: 3 }, description: 'What it is about' },
      done: { type: 'boolean', default: false },
      rating: { type: 'number', jsonSchema: { exclusiveMinimum: 0, maximum: 5 } },
      kind: { type: 'string', enum: ['private', 'work'] },
      written: 'date',
      pinCode: { type: 'string', hidden: true },
      authorId: { type: 'number', required: true }
    },
    relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' } },
    methods: {
      'prototype.finish': {
        http: { verb: 'post' },
        returns: { arg: 'note', type: 'Note', root: true },
        description: 'Marks a note as done\nIt can be done twice.'
      },
      search: {
        http: { verb: 'get' },
        accepts: [
          { arg: 'words', type: ['string'], description: 'All of them' },
          { arg: 'since', type: 'date-time', required: true },
          { arg: 'done', type: 'boolean' },
          { arg: 'client', type: 'string', http: { source: 'header' } },
          { arg: 'secretSwitch', type: 'string', documented: false }
        ],
        returns: [
          { arg: 'notes', type: ['Note'] },
          { arg: 'at', type: 'date' },
          { arg: 'X-Total', type: 'number', http: { target: 'header' } }
        ]
      },
      move: {
        accepts: [
          { arg: 'from', type: 'number', required: true },
          { arg: 'to', type: 'number' }
        ],
        notes: 'Both must be there.'
      },
      // No description has a place for this verb.
      report: { http: { verb: 'report', path: '/reports' } },
      save: {
        http: { path: '/save', verb: 'post', status: 201 },
        accepts: { arg: 'note', type: 'Note', http: { source: 'body' } },
        returns: { arg: 'note', type: 'Note', root: true }
      },
      download: {
        http: { path: '/:year/file', verb: 'get' },
        accepts: { arg: 'year', type: 'integer' },
        returns: { arg: 'file', type: 'file', root: true }
      },
      unmentioned: { http: { verb: 'get' }, documented: false }
    }
  },
  {
    name: 'Author',
    properties: {
      name: { type: 'string', required: true },
      email: { type: 'string', jsonSchema: { format: 'email' } },
      home: 'Address',
      others: ['Address'],
      place: 'geopoint',
      size: { type: { width: 'number', height: 'number' } },
      secret: 'string',
      zip: { type: 'string', jsonSchema: { pattern: '^\\d{5}$' } }
    },
    hidden: ['secret'],
    methods: {
      attach: {
        http: { verb: 'post' },
        accepts: [
          { arg: 'photo', type: 'file', required: true, accept: ['image/*'], maxSize: '1mb', description: 'A face' },
          { arg: 'title', type: 'string', required: true },
          { arg: 'kinds', type: ['string'] },
          { arg: 'more', type: ['file'] }
        ],
        returns: { arg: 'taken', type: 'object', root: true }
      },
      picture: {
        http: { verb: 'get' },
        accepts: { arg: 'res', type: 'object', http: { source: 'res' } },
        responses: {
          200: {
            description: 'A face',
            headers: { ETag: 'Its state' },
            body: { type: 'image/png', schema: { type: 'string', format: 'binary' } }
          },
          304: { description: 'Still the same' },
          307: 'Somewhere else',
          416: { description: 'Not so much of it', headers: { 'Content-Range': 'How much there is' } }
        }
      }
    },
    relations: {
      notes: { type: 'hasMany', model: 'Note', foreignKey: 'authorId' },
      passes: { type: 'hasMany', model: 'BackstagePass', foreignKey: 'authorId' },
      friends: { type: 'referencesMany', model: 'Author' },
      shadow: { type: 'hasOne', model: 'BackstagePass', options: { disableInclude: true } }
    }
  },
  {
    name: 'Address',
    base: 'Model',
    idInjection: false,
    properties: { street: { type: 'string', required: true }, city: 'string' }
  },
  { name: 'BackstagePass', properties: { code: { type: 'string', required: true }, stage: 'Address' } },
  { name: 'NewNote', properties: { text: 'string' } },
  {
    name: 'Measure',
    settings: { strict: 'throw', maxLimit: 50 },
    properties: Type.Object({
      value: Type.Number({ minimum: 0 }),
      unit: Type.Union([Type.Literal('m'), Type.Literal('s')]),
      at: Type.Optional(Type.Date()),
      marks: Type.Tuple([Type.Number(), Type.String()])
    })
  },
  { name: 'AccessToken', properties: { id: { type: 'string', id: true }, userId: 'number' } },
  { name: 'User', base: 'Model', properties: { email: 'string' } },
  {
    name: 'Account',
    base: 'User',
    methods: {
      login: {
        http: { verb: 'post' },
        accepts: { arg: 'credentials', type: 'object', http: { source: 'body' } },
        returns: { arg: 'accessToken', type: 'object', root: true }
      },
      logout: { accepts: { arg: 'token', type: 'string', http: { source: 'header' }, documented: false } }
    }
  }
]

/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'
)

export interface TestApplication {
  readonly app: FastifyInstance
  readonly models: Readonly<Record<string, ModelClass>>
}

/** Notes are shown to those who logged in only, with one note there. */
export async function application (
  options: {
    explorer?: ExplorerOptions
    rest?: RestOptions
    prepare?: (models: Readonly<Record<string, ModelClass>>) => void
  } = {}
): Promise<TestApplication> {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  const tokens = new Set<string>()
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions,
    models: {
      Note: { dataSource: 'db' },
      Author: { dataSource: 'db' },
      BackstagePass: { dataSource: 'db', public: false },
      NewNote: { dataSource: 'db' },
      Measure: { dataSource: 'db' },
      AccessToken: { dataSource: 'db', public: false },
      Account: { dataSource: null, public: true }
    }
  })
  const {
    registry: { models }
  } = app
  const [Note, Account] = [app.registry.getModel('Note'), app.registry.getModel('Account')]
  Note.disableRemoteMethodByName('upsertWithWhere')
  Object.assign(Note, {
    report: async () => {},
    search: async () => [[], new Date(0), 0],
    move: async () => {},
    save: async (note: unknown) => note,
    download: async () => Buffer.from([1, 2, 3])
  })
  Object.assign(app.registry.getModel('Author'), {
    attach: async (photo: ArgumentFile, title: string, kinds: string[] | undefined, more: ArgumentFile[]) => ({
      title, kinds, photo: [photo.name, photo.type, photo.size], more: more.map(({ name, size }) => [name, size])
    }),
    picture: (res: ServerResponse) => {
      res.writeHead(200, { 'content-type': 'image/png', 'content-disposition': 'inline; filename="face.png"' }).end(pixel)
    }
  })
  Note.prototype.finish = async function (this: object) {
    return this
  }
  Object.assign(Account, {
    login: async ({ email, password }: { email: string; password: string }) => {
      if (email !== 'ann@example.com' || password !== 'ann-secret') {
        throw new RequestError(401, 'login failed', { code: 'LOGIN_FAILED' })
      }
      const id = `token-${tokens.size + 1}`
      tokens.add(id)
      return { id, userId: 1 }
    },
    logout: async () => {}
  })
  app.addHook('onRequest', async request => {
    const token = String(request.headers['x-access-token'])
    const { sharedMethod } = request.routeOptions.config
    if (sharedMethod?.model === 'Note' && !tokens.has(token)) {
      throw new RequestError(401, 'Authorization Required', { code: 'AUTHORIZATION_REQUIRED' })
    }
    if (sharedMethod?.model === 'Account' && sharedMethod.method.name === 'logout' && !tokens.delete(token)) {
      throw new RequestError(401, 'accessToken is required to logout')
    }
  })
  options.prepare?.(models)
  await app.register(rest, { prefix: '/api', ...options.rest })
  await app.register(explorer, options.explorer ?? {})
  await app.ready()
  await (Note.create as (data: object) => Promise<unknown>)({ title: 'Milk <b>& eggs</b>', authorId: 1 })
  return { app, models }
}
