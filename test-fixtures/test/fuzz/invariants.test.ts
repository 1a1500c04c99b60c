/** The rules that the fuzz runner holds answers against: each lets what is right pass and tells what is wrong. */
import t from 'tap'
import { invariantsFor, type Observation, type Setting } from '../../src/fuzz/invariants/index.js'
import type { Facts, RowChange } from '../../src/fuzz/inside/protocol.js'
import { operationsOf, type ApiDocument } from '../../src/fuzz/routes.js'

const json = (schema: object): object => ({ content: { 'application/json': { schema } } })
const responses = {
  200: json({ type: 'object', properties: { id: { type: 'number' } } }),
  default: json({ type: 'object' })
}
const document = {
  servers: [{ url: '/api' }],
  paths: {
    '/Notes/{id}': {
      get: { operationId: 'Note.findById', responses },
      patch: { operationId: 'Note.prototype.patchAttributes', responses }
    },
    '/Notes/update': { post: { operationId: 'Note.updateAll', responses } },
    '/Notes': { post: { operationId: 'Note.create', responses } },
    '/Notes/{id}/lines': { delete: { operationId: 'Note.prototype.__delete__lines', responses } },
    '/Notes/own': { put: { operationId: 'Note.own.put', responses } }
  }
} as unknown as ApiDocument
const operations = operationsOf(document)
const model = (name: string, relations: object[] = []): object => ({
  name,
  bases: [name, 'PersistedModel'],
  relations,
  properties: [],
  hidden: [],
  protected: [],
  id: 'id',
  ids: []
})
const facts = {
  models: [
    model('Note', [{ name: 'lines', type: 'hasMany', model: 'Line' }]),
    model('Line'),
    { ...model('Token'), bases: ['Token', 'AccessToken'] }
  ],
  accounts: [{ model: 'User', id: 1, email: 'a@b', password: undefined, token: 'token-of-somebody', what: '' }],
  secrets: ['a hidden text']
} as unknown as Facts
const setting: Setting = { facts, dir: '/srv/app', checkout: '/opt/product', mayFail: new Set() }
const rules = invariantsFor(document)

interface Given {
  status?: number
  body?: string
  head?: string
  headers?: Record<string, string>
  target?: string
  changes?: RowChange[]
  stack?: string
  surplus?: string
}

function judge (
  operation: string,
  {
    status = 200,
    body = '{"id":1}',
    head = '',
    headers = {},
    target = '/api/Notes/1',
    changes = [],
    stack,
    surplus
  }: Given
): string | undefined {
  const found = operations.find(({ id }) => id === operation) as Observation['operation']
  const observed: Observation = {
    operation: found,
    request: { operation, verb: found.verb, target, headers: [] },
    answer: {
      status,
      body: Buffer.from(body),
      head,
      headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', ...headers },
      milliseconds: 1,
      surplus
    },
    faults: stack === undefined ? [] : [{ stack, url: '' }],
    changes
  }
  return rules.map(rule => rule(observed, setting)).find(what => what !== undefined)
}

const change = (
  model: string,
  { created = [], removed = [], changed = [], before = {} }: Partial<Omit<RowChange, 'model'>>
): RowChange => ({ model, created, removed, changed, before })
const refusal = (status: number, message = 'no'): Given => ({
  status,
  body: JSON.stringify({ error: { statusCode: status, message } })
})

t.test('operations of a description', async t => {
  t.match(
    operations.map(({ method, verb, path }) => [method, verb, path]),
    [
      ['findById', 'GET', '/api/Notes/{id}'],
      ['prototype.patchAttributes', 'PATCH'],
      ['updateAll', 'POST'],
      ['create', 'POST'],
      ['prototype.__delete__lines', 'DELETE'],
      ['own', 'PUT']
    ]
  )
})

t.test('answers', async t => {
  t.equal(judge('Note.findById', {}), undefined)
  t.equal(judge('Note.findById', refusal(404)), undefined)
  t.match(judge('Note.findById', refusal(500)), /^status 500/)
  t.match(
    judge('Note.findById', { ...refusal(500), stack: 'Error: x\n    at f (file:///opt/product/a.js:1:1)' }),
    /^status 500/
  )
  t.equal(
    judge('Note.findById', {
      ...refusal(500),
      stack: 'Error: x\n    at decode (<anonymous>)\n    at node:events:1:1\n    at f (/srv/app/server/a.js:1:1)'
    }),
    undefined,
    'thrown by the application'
  )
  t.match(judge('Note.findById', { body: '{"id":1,"x":"a hidden text"}' }), /^hidden value/)
  t.match(judge('Note.findById', { head: 'x: a hidden text' }), /^hidden value/)
  t.match(judge('Note.findById', { body: '{"id":1,"x":"token-of-somebody"}' }), /^hidden value/)
  t.equal(
    judge('Note.findById', {
      body: '{"id":1,"x":"token-of-somebody"}',
      target: '/api/Notes/1?access_token=token-of-somebody'
    }),
    undefined,
    'what was sent may come back'
  )
  t.match(judge('Note.findById', { body: '{"id":1,"x":"/srv/app/server"}' }), /^a path of the machine/)
  t.match(judge('Note.findById', refusal(400, 'UNIQUE constraint failed: Note.id')), /^the words of a driver/)
  t.match(judge('Note.findById', refusal(400, 'SELECT * FROM x')), /^SQL/)
  t.equal(
    judge('Note.findById', {
      ...refusal(400, 'SELECT * FROM x is not an id'),
      target: '/api/Notes/SELECT%20*%20FROM%20x'
    }),
    undefined
  )
  t.match(
    judge('Note.findById', refusal(400, "Cannot read properties of undefined (reading 'x')")),
    /^the words of the engine/
  )
  t.match(judge('Note.findById', { surplus: 'HTTP/1.1 200' }), /^bytes behind/)
  t.match(judge('Note.findById', { status: 404, body: '{"error":{"statusCode":400}}' }), /^form of an error/)
  t.match(judge('Note.findById', { status: 404, headers: { 'content-type': 'text/plain' } }), /^form of an error/)
  t.match(judge('Note.findById', { headers: { 'x-content-type-options': '' } }), /^no X-Content-Type-Options/)
  t.match(judge('Note.findById', { body: '{"id":"1"}' }), /^not described/)
  t.match(judge('Note.findById', { body: '{"id":' }), /^no JSON/)
})

t.test('rows', async t => {
  const one = change('Note', { changed: ['1'], before: { 1: '{"id":1}' } })
  t.equal(judge('Note.prototype.patchAttributes', { changes: [one] }), undefined)
  t.match(judge('Note.prototype.patchAttributes', { ...refusal(422), changes: [one] }), /^rows: a refused request/)
  t.match(judge('Note.findById', { changes: [one] }), /^rows: a request that reads/)
  t.equal(judge('Note.findById', { changes: [change('Token', { removed: ['x'] })] }), undefined, 'tokens end')
  t.match(
    judge('Note.prototype.patchAttributes', { changes: [change('Note', { changed: ['1', '2'] })] }),
    /^rows: more than one/
  )
  t.match(
    judge('Note.prototype.patchAttributes', { changes: [one, change('Line', { removed: ['1'] })] }),
    /^rows: rows of another model/
  )
  t.equal(
    judge('Note.updateAll', {
      target: '/api/Notes/update',
      body: '{"count":2}',
      changes: [change('Note', { changed: ['1', '2'] })]
    }),
    undefined
  )
  t.match(
    judge('Note.updateAll', {
      target: '/api/Notes/update',
      body: '{"count":1}',
      changes: [change('Note', { changed: ['1', '2'] })]
    }),
    /^rows: a bulk update/
  )
  t.match(judge('Note.create', { target: '/api/Notes', changes: [one] }), /^rows: create changed/)
  const line = (noteId: number): RowChange =>
    change('Line', { removed: ['9'], before: { 9: JSON.stringify({ id: 9, noteId }) } })
  t.equal(judge('Note.prototype.__delete__lines', { target: '/api/Notes/1/lines', changes: [line(1)] }), undefined)
  t.equal(judge('Note.prototype.__delete__lines', { target: '/api/Notes/%2001/lines', changes: [line(1)] }), undefined)
  t.match(
    judge('Note.prototype.__delete__lines', { target: '/api/Notes/1/lines', changes: [line(2)] }),
    /^rows: a row of another parent/
  )
  t.match(
    judge('Note.prototype.__delete__lines', { target: '/api/Notes/1/lines', changes: [line(1), one] }),
    /^rows: rows of a model/
  )
  t.equal(
    judge('Note.own.put', { target: '/api/Notes/own', changes: [line(2), one] }),
    undefined,
    'the application does as it likes'
  )
})
