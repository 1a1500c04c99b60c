import t from 'tap'
import { ModelRegistry } from './registry.js'
import { whileModelsStay } from './while-models-stay.js'

t.test('what is worked out from the models is kept until they change', async t => {
  const registry = new ModelRegistry()
  const key = Symbol('names')
  let times = 0
  const names = (): string[] => whileModelsStay(registry, key, () => {
    times++
    return Object.keys(registry.models)
  })
  t.notOk(names().includes('Note'))
  t.equal(names(), names(), 'the same value')
  t.equal(times, 1)
  const Note = registry.defineModel({ name: 'Note', properties: { text: 'string' } })
  t.ok(names().includes('Note'), 'another model')
  t.equal(times, 2)
  Note.defineProperty('stars', { type: 'number' })
  t.ok(names().includes('Note'))
  t.equal(times, 3, 'a model that has changed')
  t.equal(whileModelsStay(new ModelRegistry(), key, () => 'other'), 'other', 'each registry has its own')
})
