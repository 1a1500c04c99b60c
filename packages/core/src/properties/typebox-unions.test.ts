import { Type } from '@sinclair/typebox'
import t from 'tap'
import { jsonForm } from './property-schema.js'
import { enumerated, takesNull } from './typebox-unions.js'

const state = Type.Union([Type.Literal('open'), Type.Literal('done')])
const plain = (schema: object): unknown => JSON.parse(JSON.stringify(schema))

t.test('a union of literals is an enum, with null where it takes that', async t => {
  t.same(plain(jsonForm(state)), { type: 'string', enum: ['open', 'done'] })
  t.same(plain(jsonForm(Type.Enum({ One: 1, Two: 2 }))), { type: 'number', enum: [1, 2] })
  t.same(plain(jsonForm(Type.Union([state, Type.Null()]))), { type: 'string', enum: ['open', 'done', null], nullable: true })
  t.same(plain(jsonForm(Type.Array(state))), { type: 'array', items: { type: 'string', enum: ['open', 'done'] } })
  t.equal(enumerated(Type.Union([Type.Literal('a'), Type.Literal(1)])), undefined, 'of one type only')
  t.equal(enumerated(Type.Union([Type.Literal('a'), Type.String()])), undefined)
  t.ok(takesNull(Type.Union([Type.Number(), Type.Null()])))
  t.notOk(takesNull(state))
})
