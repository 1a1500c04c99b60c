import t from 'tap'
import { Type } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { fakeModel, type Models } from '../../test/helpers/fake-model.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelSchemas } from './row-model.js'
import type { Row } from './types.js'

const ajv = new Ajv({ allErrors: true, strict: false })
addFormats.default(ajv, ['date', 'date-time'])
ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger })

const models: Models = new Map()
fakeModel(
  models,
  'Address',
  {
    street: 'string',
    city: { type: 'string', required: true },
    zip: { type: 'string', jsonSchema: { pattern: '^[0-9]{4,5}$' } },
    pin: 'string'
  },
  { unknown: 'refuse', hidden: ['pin'] }
)
const thing = fakeModel(
  models,
  'Thing',
  {
    id: { type: 'number', id: true, generated: true },
    name: { type: 'string', required: true, maxLength: 5, length: 3, description: ['What it is', 'called'] },
    state: { type: 'string', required: true, default: 'new' },
    count: { type: 'number', jsonSchema: { type: 'integer' } },
    big: 'long',
    flag: 'boolean',
    made: 'date',
    day: { type: 'string', jsonSchema: { format: 'date' } },
    extra: 'object',
    anything: 'any',
    list: 'array',
    tags: { type: ['string'], jsonSchema: { minLength: 1 } },
    dates: ['date'],
    address: 'Address',
    addresses: ['Address'],
    kind: { type: 'string', enum: ['a', 'b'] },
    colour: { type: 'string', jsonSchema: { enum: ['red', 'green'] } },
    maybe: { type: 'string', jsonSchema: { nullable: true } },
    either: { type: 'any', jsonSchema: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
    dims: { w: 'number', box: { depth: 'number' } },
    spot: 'geopoint',
    cover: 'buffer',
    secret: 'string',
    other: 'Missing'
  },
  { hidden: ['secret'], settings: { description: 'A thing' } }
)

const compiled = new Map<unknown, ValidateFunction>()
function violations (
  schema: ModelSchemas[keyof Pick<ModelSchemas, 'create' | 'patch' | 'replace'>],
  data: unknown
): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate(data)
    ? []
    : (validate.errors as ErrorObject[]).map(
        error => `${error.instancePath} ${error.keyword} ${JSON.stringify(error.params)}`
      )
}
const { create, replace, patch, response } = thing.schemas
const optional = [
  'count',
  'big',
  'flag',
  'made',
  'day',
  'extra',
  'anything',
  'list',
  'tags',
  'dates',
  'address',
  'addresses',
  'kind',
  'colour',
  'maybe',
  'either',
  'dims',
  'spot',
  'cover',
  'secret',
  'other',
  'id'
]

t.test('types, keywords and what Ajv says of them', async t => {
  const cases: Array<[Row, string[]]> = [
    [{}, []],
    [{ count: '1' }, ['/count type {"type":"integer"}']],
    [{ count: 1.5 }, ['/count type {"type":"integer"}']],
    [{ count: 1e3 }, []],
    [{ big: 2 ** 53 }, ['/big format {"format":"int64"}']],
    [{ flag: 1 }, ['/flag type {"type":"boolean"}']],
    [{ made: 'x' }, ['/made format {"format":"date-time"}']],
    [{ made: 5 }, ['/made type {"type":"string"}']],
    [{ made: '2020-01-01T00:00:00Z' }, []],
    [{ day: '2020-13-01' }, ['/day format {"format":"date"}']],
    [{ extra: 'x' }, ['/extra type {"type":"object"}']],
    [{ extra: [] }, ['/extra type {"type":"object"}']],
    [{ extra: { a: 1 } }, []],
    [{ anything: [{}] }, []],
    [{ list: 'x' }, ['/list type {"type":"array"}']],
    [{ list: [1, 'x', null] }, []],
    [
      { tags: ['', 1, null] },
      ['/tags/0 minLength {"limit":1}', '/tags/1 type {"type":"string"}', '/tags/2 type {"type":"string"}']
    ],
    [{ dates: ['x'] }, ['/dates/0 format {"format":"date-time"}']],
    [{ address: {} }, ['/address required {"missingProperty":"city"}']],
    [{ address: { city: 'x', street: null, pin: '1' } }, []],
    [
      { address: { city: null, zip: 'x', planet: 1 } },
      [
        '/address additionalProperties {"additionalProperty":"planet"}',
        '/address/city type {"type":"string"}',
        '/address/zip pattern {"pattern":"^[0-9]{4,5}$"}'
      ]
    ],
    [{ addresses: [null, 5] }, ['/addresses/0 type {"type":"object"}', '/addresses/1 type {"type":"object"}']],
    [
      { kind: 'z', name: 'longer than five' },
      ['/kind enum {"allowedValues":["a","b",null]}', '/name maxLength {"limit":5}']
    ],
    [{ colour: 'blue' }, ['/colour enum {"allowedValues":["red","green",null]}']],
    [{ maybe: 1 }, ['/maybe type {"type":"string"}']],
    [
      { either: true },
      ['/either type {"type":"string"}', '/either type {"type":"number"}', '/either oneOf {"passingSchemas":null}']
    ],
    [{ dims: { w: 'x', box: { depth: null, more: 1 }, h: 1 } }, ['/dims/w type {"type":"number"}']],
    [{ spot: [1, 2], cover: 'x', other: { a: 1 } }, []],
    [{ other: 5 }, ['/other type {"type":"object"}']],
    [{ unknown: 1 }, []]
  ]
  for (const [data, expected] of cases) {
    t.strictSame(violations(patch, data).sort(), expected.sort(), JSON.stringify(data))
  }
})

t.test('null', async t => {
  for (const name of optional.filter(name => name !== 'id' && name !== 'either')) {
    t.strictSame(violations(create, { name: 'x', [name]: null }), [], `${name} may be null`)
  }
  for (const schema of [create, replace, patch]) {
    t.strictSame(violations(schema, { name: null, state: null }), [
      '/name type {"type":"string"}',
      '/state type {"type":"string"}'
    ])
  }
})

t.test('what must be sent', async t => {
  t.strictSame(violations(create, {}), [' required {"missingProperty":"name"}'], 'not what has a default')
  t.strictSame(violations(replace, { id: 5 }), [' required {"missingProperty":"name"}'])
  t.strictSame(violations(patch, {}), [])
  t.strictSame(
    violations(patch, { address: {} }),
    ['/address required {"missingProperty":"city"}'],
    'nested rows are whole'
  )
  t.equal(response.required, undefined, 'fields may leave out any property')
})

t.test('ids', async t => {
  const named = fakeModel(models, 'Tag', { slug: { type: 'string', id: true, required: true } })
  const free = fakeModel(
    models,
    'Device',
    { id: { type: 'number', id: true, generated: true } },
    { settings: { forceId: false } }
  )
  t.notOk('id' in create.properties)
  t.ok('id' in replace.properties && 'id' in response.properties)
  t.ok('id' in free.schemas.create.properties)
  t.strictSame(violations(named.schemas.create, {}), [' required {"missingProperty":"slug"}'])
  t.strictSame(violations(named.schemas.replace, {}), [], 'the path has it')
  t.strictSame(violations(free.schemas.create, { id: 'x' }), ['/id type {"type":"number"}'])
  t.strictSame(violations(free.schemas.create, { id: null }), [])
})

t.test('unknown properties', async t => {
  const of = (unknown: CompiledModel['unknown']): ModelSchemas =>
    fakeModel(models, `Strict${unknown}`, { a: 'string' }, { unknown }).schemas
  t.strictSame(violations(of('refuse').create, { b: 1, c: 1 }), [
    ' additionalProperties {"additionalProperty":"b"}',
    ' additionalProperties {"additionalProperty":"c"}'
  ])
  t.strictSame(violations(of('drop').create, { b: 1 }), [])
  t.strictSame(violations(of('keep').create, { b: 1 }), [])
})

t.test('description', async t => {
  t.match(create, { title: 'Thing', description: 'A thing' })
  t.match(thing.schemas.property('name'), { type: 'string', description: 'What it is\ncalled' })
  t.match(response.properties, { name: { maxLength: 5 }, kind: { enum: ['a', 'b', null] } })
  t.notOk('secret' in response.properties)
  t.notOk('pin' in (response.properties.address as unknown as { properties: object }).properties)
  t.strictSame(violations(Type.Object({ x: thing.schemas.property('nowhere') }), { x: [1] }), [])
})

t.test('models that contain one another end somewhere', async t => {
  const tree = fakeModel(models, 'Tree', {
    name: { type: 'string', required: true },
    children: ['Tree'],
    forest: 'Forest'
  })
  fakeModel(models, 'Forest', { trees: ['Tree'], size: 'number' })
  t.strictSame(violations(tree.schemas.create, { name: 'x', children: [{}, 5], forest: { size: 'x', trees: [{}] } }), [
    '/children/1 type {"type":"object"}',
    '/forest/size type {"type":"number"}'
  ])
})

t.test('properties written in TypeBox are used as they are', async t => {
  const model = fakeModel(models, 'Typed', {
    title: { type: Type.String({ minLength: 2 }), required: true },
    n: { type: Type.Optional(Type.Number({ minimum: 1 })) },
    at: { type: Type.Date({ description: 'when' }) },
    both: { type: Type.Union([Type.String(), Type.Null()]) },
    list: { type: Type.Array(Type.Date()) },
    nested: { type: Type.Object({ on: Type.Date(), blob: Type.Uint8Array() }) }
  }).schemas
  t.strictSame(
    violations(model.create, {
      title: 'x',
      n: 0,
      at: 5,
      both: null,
      list: ['x'],
      nested: { on: '2020-01-01T00:00:00Z', blob: 'x' }
    }),
    [
      '/title minLength {"limit":2}',
      '/n minimum {"comparison":">=","limit":1}',
      '/at type {"type":"string"}',
      '/list/0 format {"format":"date-time"}'
    ]
  )
  t.strictSame(violations(model.create, { title: 'xx', n: null }), ['/n type {"type":"number"}'])
  t.match(model.property('at'), { format: 'date-time', description: 'when' })
  t.strictSame(violations(model.patch, {}), [])
})
