import t from 'tap'
import fc from 'fast-check'
import { makeApp, note } from './app.js'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '{"__proto__":{"polluted":1}}',
    '{"where":{"__proto__":1}}',
    '{"$where":"1"}',
    '[[[[',
    '\u0000',
    '1e999',
    '%',
    '%zz',
    '{"neq":0}',
    '-1',
    'null',
    '{"where":{"secret":"x"}}',
    '{"order":"secret"}',
    '{"include":"x"}',
    '{"limit":1e308}'
  )
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  text,
  fc.constantFrom(Infinity, -0, { $type: 'date', $data: 'x' }, [], {}, { length: 3 })
)
const names = fc.constantFrom(
  'title',
  'size',
  'done',
  'at',
  'tags',
  'secret',
  'id',
  '__proto__',
  'constructor',
  'then',
  'toJSON',
  'save',
  '__data',
  'hasOwnProperty'
)
const body = fc.oneof(
  value,
  fc.dictionary(names, value, { maxKeys: 5 }),
  fc.array(fc.dictionary(names, value, { maxKeys: 3 }), { maxLength: 3 })
)
const parameter = fc.constantFrom(
  'filter',
  'where',
  'filter[where][size]',
  'filter[limit]',
  'where[and][0][title]',
  'filter[__proto__][x]',
  'options',
  '_format',
  'callback',
  '__proto__'
)
const path = fc.constantFrom(
  '/Notes',
  '/Notes/count',
  '/Notes/findOne',
  '/Notes/update',
  '/Notes/upsertWithWhere',
  '/Notes/replaceOrCreate',
  '/Notes/ID',
  '/Notes/ID/exists',
  '/Notes/ID/replace',
  '/Notes/ID/echo',
  '/Notes/echo'
)
/** Without halves of surrogate pairs, which no URL can have. */
const wellFormed = (given: string): string => Buffer.from(given).toString()
const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD') as fc.Arbitrary<'GET'>

t.test('no request makes the server fail, shows what is hidden or reaches a prototype', async t => {
  const app = await makeApp(t, {
    definitions: [note],
    async prepare ({ Note }) {
      const model = Note as any
      await model.create([{ title: 'a', secret: 'hush-hush' }, { title: 'b', secret: 'hush-hush' }])
      const accepts = [
        { arg: 'text', type: 'string' },
        { arg: 'n', type: 'number' },
        { arg: 'list', type: ['number'] },
        { arg: 'when', type: 'date' },
        { arg: 'any', type: 'any' },
        { arg: 'bytes', type: 'buffer' }
      ]
      model.echo = async (...args: unknown[]) => ({ args: args.length })
      model.prototype.echo = async () => ({ ok: true })
      model.remoteMethod('echo', { accepts, returns: { arg: 'out', root: true }, http: { path: '/echo' } })
      model.remoteMethod('prototype.echo', { accepts, returns: { arg: 'out', root: true }, http: { path: '/echo' } })
    }
  })
  const types = fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/json; charset=utf-16'
  )
  await fc.assert(
    fc.asyncProperty(
      method,
      path,
      fc.oneof(text, fc.constantFrom('1', '2')),
      fc.array(fc.tuple(parameter, text), { maxLength: 3 }),
      body,
      types,
      async (method, path, id, parameters, body, type) => {
        const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`).join('&')
        const url = `/api${path.replace('ID', encodeURIComponent(wellFormed(id) || 'x'))}${query === '' ? '' : `?${query}`}`
        const payload = type.startsWith('application/x-www') ? query : JSON.stringify(body)
        const answer = await app.inject({
          method,
          url,
          ...(method === 'GET' || method === 'HEAD' ? {} : { payload, headers: { 'content-type': type } })
        })
        if (answer.statusCode >= 500) {
          throw new Error(`${method} ${url} ${payload} => ${answer.statusCode} ${answer.body}`)
        }
        if (answer.body.includes('hush-hush')) throw new Error(`${method} ${url} shows a hidden property`)
        if (answer.headers['x-content-type-options'] !== 'nosniff') throw new Error(`${method} ${url}: no nosniff`)
        return !('polluted' in {}) && Object.keys(Object.prototype).length === 0
      }
    ),
    { numRuns: 1500 }
  )
})
