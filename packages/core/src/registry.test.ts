import t from 'tap'
import { ModelRegistry } from './registry.js'

t.test('what a package keeps with a registry is made once, for each registry', async t => {
  const kNames = Symbol('names')
  const namesOf = (registry: ModelRegistry): Set<string> => registry.slot(kNames, () => new Set())
  const [one, other] = [new ModelRegistry(), new ModelRegistry()]
  namesOf(one).add('Note')
  t.strictSame([...namesOf(one)], ['Note'])
  t.equal(namesOf(other).size, 0)
  t.equal(one.slot(Symbol('names'), () => 5), 5, 'the key is the symbol, not its name')
})

t.test('the models that extend one', async t => {
  const registry = new ModelRegistry()
  const Person = registry.defineModel({ name: 'Person' })
  registry.defineModel({ name: 'Customer', base: 'Person' })
  registry.defineModel({ name: 'Note' })
  registry.defineModel({ name: 'Regular', base: 'Customer' })
  t.strictSame(registry.modelsExtending(Person).map(Model => Model.modelName), ['Customer', 'Regular'])
  t.strictSame(registry.modelsExtending('Regular'), [])
  t.throws(() => registry.modelsExtending('Nobody'), { code: 'FBK_CORE_UNKNOWN_MODEL' })
})
