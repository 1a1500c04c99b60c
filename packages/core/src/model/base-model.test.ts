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
  const closed = new Closed({ other: 1 } as object) as unknown as { isValid (): boolean, errors: unknown }
  t.notOk('other' in closed, 'what a strict model does not have is no data')
  t.equal(closed.isValid(), false)
  t.match(closed.errors, { other: ['is not defined in the model'] })
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

t.test('instances have the small functions of LoopBack', t => {
  const registry = new ModelRegistry()
  const Part: any = registry.defineModel({
    name: 'Part', properties: { code: { type: 'string', id: true }, title: 'string', size: 'number' }
  })
  const part = new Part({ title: 'bolt', size: 3, extra: true })
  part.setId('b1')
  t.equal(part.getId(), 'b1')
  part.reset()
  t.notOk(Object.hasOwn(part, 'extra'), 'reset keeps what the definition names')
  t.match(part, { code: 'b1', title: 'bolt' })
  part.fromObject({ title: 'nut' })
  part.unsetAttribute('size')
  t.equal(part.size, undefined)
  part.unsetAttribute('size', true)
  t.equal(part.size, null)
  t.match(part.inspect(), /title: 'nut'/)
  registry.defineModel({ name: 'Nulls', properties: { size: 'number' }, persistUndefinedAsNull: true })
  const nulls: any = new (registry.getModel('Nulls'))({ size: 1 })
  nulls.unsetAttribute('size')
  t.equal(nulls.size, null)
  t.end()
})
