import SwaggerParser from '@apidevtools/swagger-parser'
import { memoryConnector } from '@fastback/connector-memory'
import core, { type ModelDefinitionInput } from '@fastback/core'
import rest from '@fastback/rest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import Fastify from 'fastify'
import t from 'tap'
import { explorer } from '../src/index.js'

/* Names that look like keywords, like parts of a prototype, or need escaping. */
const names = fc.constantFrom(
  'title',
  'type',
  '$ref',
  'nullable',
  'properties',
  'items',
  'enum',
  'schema',
  'schemas',
  'default',
  'toString',
  'example',
  'not',
  'größe',
  'a b',
  'x-y',
  'id_'
)
const models = fc.constantFrom('Note', 'Error', 'GeoPoint', 'NoteFilter', 'NewNote', 'Ärger', 'Two Words', 'Violation')
const scalar = fc.constantFrom(
  'string',
  'number',
  'boolean',
  'date',
  'object',
  'any',
  'array',
  'geopoint',
  'buffer',
  'integer'
)
const type = fc.oneof(
  scalar,
  scalar.map(each => [each]),
  fc.record({ in: scalar, type: scalar }),
  models,
  models.map(each => [each])
)
const keywords = fc.oneof(
  fc.constant(undefined),
  fc.record({ minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 9 }) }),
  fc.record({ minimum: fc.integer({ min: -5, max: 5 }), exclusiveMaximum: fc.integer({ min: 6, max: 9 }) }),
  fc.record({ exclusiveMinimum: fc.integer({ min: -9, max: 9 }), multipleOf: fc.constantFrom(1, 3, 5) }),
  fc.record({ format: fc.constantFrom('email', 'uuid', 'uri', 'date', 'ipv4', 'byte', 'int32') }),
  fc.record({ pattern: fc.constant('^[a-f]{3}$') }),
  fc.record({ oneOf: fc.constant([{ type: 'string' }, { type: 'number' }]) }),
  fc.record({ items: fc.constant([{ type: 'string' }, { type: 'number' }]), additionalItems: fc.constant(false) }),
  fc.record({ patternProperties: fc.constant({ '^x': { type: 'string' } }), minProperties: fc.nat(2) })
)
const property = fc
  .record({
    type,
    required: fc.boolean(),
    hidden: fc.boolean(),
    keywords,
    length: fc.constantFrom(undefined, 3),
    description: fc.constantFrom(undefined, 'What it is', ['two', 'lines'])
  })
  .map(({ keywords, ...rest }) => ({ ...rest, ...(keywords === undefined ? {} : { jsonSchema: keywords }) }))
const definition = fc.record({
  properties: fc.dictionary(names, property, { maxKeys: 6 }),
  strict: fc.constantFrom(true, false, 'filter', 'throw'),
  isPublic: fc.boolean(),
  related: fc.dictionary(
    fc.constantFrom('parent', 'others', 'one'),
    fc.record({
      type: fc.constantFrom('belongsTo', 'hasMany', 'hasOne', 'embedsMany', 'referencesMany'),
      model: models
    }),
    { maxKeys: 3 }
  )
})
const application = fc.uniqueArray(fc.tuple(models, definition), {
  selector: ([name]) => name,
  minLength: 1,
  maxLength: 5
})

t.test('whatever the models, the description is valid and its examples satisfy it', async t => {
  let described = 0
  await fc.assert(fc.asyncProperty(application, async written => {
    const known = new Set(written.map(([name]) => name))
    const app = Fastify()
    try {
      await app.register(core, {
        dataSources: { db: { connector: memoryConnector } },
        definitions: written.map(
          ([name, { properties, strict, related }]) =>
            ({
              name,
              properties: Object.fromEntries(
                Object.entries(properties).filter(
                  ([, { type }]) => typeof type !== 'string' || !/^[A-ZÄ]/.test(type) || known.has(type as never)
                )
              ),
              settings: { strict },
              relations: Object.fromEntries(Object.entries(related).filter(([, { model }]) => known.has(model)))
            }) as unknown as ModelDefinitionInput
        ),
        models: Object.fromEntries(
          written.map(([name, { isPublic }]) => [name, { dataSource: 'db', public: isPublic }])
        )
      })
      await app.register(rest)
      await app.register(explorer)
      await app.ready()
    } catch (error) {
      await app.close().catch(() => {})
      // Definitions that core refuses are no part of this test.
      fc.pre((error as { code?: string }).code?.startsWith('FBK_CORE') !== true)
      throw error
    }
    const { statusCode, body } = await app.inject('/explorer/openapi.json')
    if (statusCode !== 200) throw new Error(body)
    const openapi = JSON.parse(body)
    await SwaggerParser.validate(structuredClone(openapi))
    await SwaggerParser.validate((await app.inject('/explorer/swagger.json')).json())
    const ajv = new Ajv2020({ strict: false, ownProperties: true })
    addFormats.default(ajv)
    ajv.addFormat('int32', true).addFormat('int64', true)
    ajv.addSchema(openapi, 'api')
    for (const [name, { examples = [] }] of Object.entries(openapi.components.schemas) as Array<
      [string, { examples?: unknown[] }]
    >) {
      const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` })
      for (const example of examples) {
        if (!validate(example)) {
          throw new Error(`${name}: ${JSON.stringify(example)} ${JSON.stringify(validate.errors)}`)
        }
      }
      described++
    }
    for (const [name, { isPublic }] of written) {
      if (!isPublic && JSON.stringify(openapi.tags).includes(`"${name}"`)) throw new Error(`${name} is not public`)
    }
    await app.close()
  }), { numRuns: 60 })
  t.ok(described > 100, `${described} schemas`)
})
