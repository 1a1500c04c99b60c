/** What each key of methods and arguments does. */
import { Readable } from 'node:stream'
import type { Part, PartEffect } from './parts.js'
import type { Effect, Loose } from './world.js'

const echo = async (value: unknown): Promise<unknown> => value ?? 'nothing'
const result = { arg: 'is', type: 'any' }
const method = (more: object, name = 'greet'): { definitions: Loose[] } => ({
  definitions: [{ name: 'Note', methods: { [name]: { run: echo, returns: result, http: { verb: 'get' }, ...more } } }]
})
const takes = (argument: object, more: object = {}, model: object = {}): { definitions: Loose[] } => ({
  definitions: [{
    name: 'Note',
    ...model,
    methods: {
      greet: {
        accepts: [{ arg: 'word', type: 'string', ...argument }], run: echo, returns: result, http: { verb: 'get' }, ...more
      }
    }
  }]
})
const named = (argument: object): { definitions: Loose[] } =>
  method({ accepts: [{ type: 'string', ...argument }] })
/** With a rule against everyone that says more. */
const ruled = (more: object, rule: object): Pick<PartEffect, 'definitions' | 'plugins'> => ({
  definitions: [{
    ...method(more).definitions[0],
    acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY', ...rule }]
  }],
  plugins: ['acl']
})
const status = (verb: string, path: string, expected: number, data?: unknown): Effect['shows'] =>
  async (t, { send }) => { t.equal((await send(verb, path, data)).status, expected) }
const operation = (document: Loose): Loose => document.paths['/Notes/greet']?.get
const parameter = (document: Loose): Loose =>
  operation(document).parameters?.find(({ name }: { name: string }) => name === 'word')
const judges = (good: string, bad: string): Effect['shows'] => async (t, { send }) => {
  t.equal((await send('GET', `/Notes/greet?word=${good}`)).status, 200)
  t.equal((await send('GET', `/Notes/greet?word=${bad}`)).status, 400)
}
const told = (at: (document: Loose) => Loose, expected: object): Effect['shows'] =>
  async (t, { document }) => { t.match(at(document()), expected) }

export const methodParts: Readonly<Record<string, Part>> = {
  accepts: { ...method({ accepts: [{ arg: 'word', type: 'string', required: true }] }), shows: status('GET', '/Notes/greet', 400) },
  returns: {
    ...method({ returns: { arg: 'was', type: 'any' } }),
    async shows (t, { send }) { t.ok('was' in (await send('GET', '/Notes/greet')).body) }
  },
  http: { ...method({ http: { verb: 'get', path: '/hello' } }), shows: status('GET', '/Notes/hello', 200) },
  aliases: { ...ruled({ aliases: ['hello'] }, { property: 'hello' }), shows: status('GET', '/Notes/greet', 401) },
  name: {
    definitions: [{ name: 'Note', methods: [{ name: 'greet', run: echo, returns: result, http: { verb: 'get' } }] }],
    shows: status('GET', '/Notes/greet', 200)
  },
  isStatic: {
    ...method({ isStatic: false }),
    settings: { modelDefinitions: 'open' },
    async shows (t, { send, told }) {
      t.equal((await send('GET', '/Notes/greet')).status, 200)
      t.match(told, [/isStatic"?:? says nothing any more/])
    }
  },
  accessType: {
    ...ruled({ accessType: 'READ' }, { accessType: 'READ' }), shows: status('GET', '/Notes/greet', 401)
  },
  accessScopes: {
    ...ruled({ accessScopes: ['hello'] }, { principalId: '$unauthenticated' }),
    shown: ['User'],
    async shows (t, { models, send }) {
      const user = { email: 'ann@example.com', password: 'correct horse battery' }
      await models.User.create(user)
      const { body: { id, userId } } = await send('POST', '/Users/login', user)
      t.equal((await send('GET', '/Notes/greet', undefined, { authorization: id })).status, 401, 'the scope of logins')
      const token = await models.AccessToken.create({ userId, scopes: ['hello'] })
      t.equal((await send('GET', '/Notes/greet', undefined, { authorization: token.id })).status, 200)
    }
  },
  accessAssurance: { provenIn: 'packages/acl/test/step-up.test.ts' },
  description: { ...method({ description: 'Says hello' }), shows: told(operation, { summary: 'Says hello' }) },
  notes: { ...method({ notes: 'To all' }), shows: told(operation, { description: 'To all' }) },
  documented: {
    ...method({ documented: false }),
    async shows (t, { document }) { t.equal(operation(document()), undefined) }
  },
  deprecated: { ...method({ deprecated: true }), shows: told(operation, { deprecated: true }) },
  shared: { ...method({ shared: false }), shows: status('GET', '/Notes/greet', 404) },
  root: { refused: true },
  rest: {
    ...method({ rest: { before: async () => { throw Object.assign(new Error('no'), { statusCode: 418 }) } } }),
    shows: status('GET', '/Notes/greet', 418)
  },
  responses: {
    ...method({ responses: { 404: 'Nobody there' } }),
    shows: told(operation, { responses: { 404: { description: 'Nobody there' } } })
  },
  streams: { refused: { returns: true } },
  run: { ...method({}), shows: status('GET', '/Notes/greet', 200) },
  fn: { refused: 'greet' }
}

export const argumentParts: Readonly<Record<string, Part>> = {
  arg: { ...takes({}), shows: told(parameter, { name: 'word' }) },
  name: { ...named({ name: 'word' }), shows: told(parameter, { name: 'word' }) },
  type: { ...takes({ type: 'number' }), shows: judges('5', 'five') },
  required: { ...takes({ required: true }), shows: status('GET', '/Notes/greet', 400) },
  default: { ...takes({ default: 'x' }), shows: told(parameter, { schema: { default: 'x' } }) },
  description: { ...takes({ description: 'What to say' }), shows: told(parameter, { description: 'What to say' }) },
  root: {
    ...method({ returns: { arg: 'is', type: 'any', root: true } }),
    async shows (t, { send }) { t.notOk('is' in Object((await send('GET', '/Notes/greet')).body)) }
  },
  allowArray: { provenIn: 'packages/rest/test/coercion.test.ts' },
  documented: {
    ...takes({ documented: false }), async shows (t, { document }) { t.equal(parameter(document()), undefined) }
  },
  jsonSchema: { ...takes({ jsonSchema: { maxLength: 2 } }), shows: judges('ab', 'abc') },
  format: { ...takes({ format: 'email' }), shows: judges('a@example.com', 'a') },
  enum: { ...takes({ enum: ['a', 'b'] }), shows: judges('a', 'c') },
  deprecated: { ...takes({ deprecated: true }), shows: told(parameter, { deprecated: true }) },
  http: {
    ...takes({ http: { source: 'header' } }), shows: told(parameter, { in: 'header' })
  },
  injectCtx: { refused: true },
  modelSchema: {
    ...takes(
      { type: 'object', http: { source: 'body' }, modelSchema: { model: 'Note', variant: 'create' } },
      { http: { verb: 'post' } }, { properties: { it: { type: 'string', maxLength: 2 } } }
    ),
    async shows (t, { send }) {
      t.equal((await send('POST', '/Notes/greet', { it: 'ab' })).status, 200)
      t.equal((await send('POST', '/Notes/greet', { it: 'abc' })).status, 422)
    }
  },
  json: {
    ...method({
      run: async () => Readable.from([{ it: 1 }]), returns: { arg: 'all', type: 'ReadableStream', json: true }
    }),
    async shows (t, { app }) {
      t.match((await app.inject('/api/Notes/greet')).headers['content-type'], 'text/event-stream')
    }
  },
  model: { refused: 'Note' }
}
