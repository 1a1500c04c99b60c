import { Type } from '@sinclair/typebox'
import t from 'tap'
import { ModelRegistry } from '../registry.js'
import { apart } from './typebox-settings.js'

t.test('DW-2: what is no keyword of JSON Schema is a setting of the property, and not told to callers', async t => {
  const written = Type.Optional(Type.Integer({
    minimum: 0, id: 2, 'x-unit': 'g', description: 'How much', postgresql: { columnName: 'line_no' }
  }))
  const { schema, settings } = apart(written)
  t.same(settings, { id: 2, description: 'How much', postgresql: { columnName: 'line_no' } })
  t.strictSame(schema, Type.Optional(Type.Integer({ minimum: 0, 'x-unit': 'g', description: 'How much' })))
  t.same(written.postgresql, { columnName: 'line_no' }, 'what was written stays')
})

t.test('a property in TypeBox has the settings of its store, and one of a type or null the schema that JSON has', async t => {
  const registry = new ModelRegistry()
  const Line = registry.defineModel({
    name: 'Line',
    properties: Type.Object({
      size: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { mysql: { columnName: 'how_big' } })),
      state: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Null()]))
    })
  })
  const { propertyByName, schemas } = Line.compiled
  t.match(propertyByName.get('size'), { type: { kind: 'integer' }, definition: { mysql: { columnName: 'how_big' } } })
  const { size, state } = JSON.parse(JSON.stringify(schemas.patch.properties))
  t.same(size, { type: 'integer', minimum: 1, nullable: true })
  t.same(state, { type: 'string', enum: ['a', 'b', null], nullable: true })
})
