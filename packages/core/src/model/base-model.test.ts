import { Type } from '@sinclair/typebox'
import t from 'tap'
import { ModelRegistry } from '../registry.js'

t.test('a new instance keeps values that are refused, for hooks and validations to see', t => {
  const registry = new ModelRegistry()
  const Open = registry.defineModel({ name: 'Open', properties: { size: 'number', tags: ['string'] } })
  const Closed = registry.defineModel({ name: 'Closed', strict: 'throw', properties: { size: 'number' } })
  const deep: Record<string, unknown> = {}
  for (let level = deep, i = 0; i < 100; i++) level = level.next = {}
  t.match(new Open({ size: 'many' }), { size: 'many' })
  t.match(new Open({ size: '5', tags: 'x' }), { size: 5, tags: 'x' })
  t.match(new Open({ other: Infinity }), { other: Infinity })
  t.equal((new Open({ deep }) as { deep?: unknown }).deep, deep)
  t.match(new Closed({ other: 1 }), { other: 1 })
  const hostile = new Open(JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":1},"size":"x"}'))
  t.equal((hostile as { admin?: unknown }).admin, undefined)
  t.ok(hostile instanceof Open)
  t.end()
})

t.test('a TypeBox object is closed unless it says otherwise', t => {
  const registry = new ModelRegistry()
  const title = Type.Optional(Type.String())
  const Closed = registry.defineModel({ name: 'Closed', properties: Type.Object({ title }) })
  const Open = registry.defineModel({ name: 'Open', properties: Type.Object({ title }, { additionalProperties: true }) })
  const Filtering = registry.defineModel({ name: 'Filtering', strict: 'filter', properties: Type.Object({ title }) })
  t.strictSame([Closed, Open, Filtering].map(({ compiled }) => compiled.unknown), ['refuse', 'keep', 'drop'])
  t.end()
})
