/** Each setting of a base, and what becomes of it in a model that says nothing, something else, or `null`. */
import t from 'tap'
import { ModelRegistry } from '../registry.js'

type Loose = any

const rule = (permission: string): object => ({ principalType: 'ROLE', principalId: '$everyone', permission })

/** A setting: what the base says, what the model says, and what both come to. As LoopBack 3.28 does. */
const merged: Readonly<Record<string, readonly [base: unknown, own: unknown, both: unknown]>> = {
  // Members of both; what both say is the model's.
  indexes: [{ u: { keys: { a: 1 } } }, { v: { keys: { b: 1 } } }, { u: { keys: { a: 1 } }, v: { keys: { b: 1 } } }],
  scope: [{ where: { a: 1 }, limit: 3 }, { where: { b: 2 }, limit: 5 }, { where: { a: 1, b: 2 }, limit: 5 }],
  scopes: [{ hot: { where: { a: 1 } } }, { cold: {} }, { hot: { where: { a: 1 } }, cold: {} }],
  mysql: [{ table: 't' }, { schema: 's' }, { table: 't', schema: 's' }],
  sqlite3: [{ table: 't' }, { table: 'u' }, { table: 'u' }],
  postgresql: [{ table: 't', schema: 's' }, {}, { table: 't', schema: 's' }],
  mongodb: [{ collection: 'c' }, { allowExtendedOperators: true }, { collection: 'c', allowExtendedOperators: true }],
  mine: [{ x: { y: 1 }, z: 1 }, { x: { w: 2 } }, { x: { y: 1, w: 2 }, z: 1 }],
  // Lists one after the other, names once.
  hidden: [['a'], ['a', 'b'], ['a', 'b']],
  protected: [['a'], ['b'], ['a', 'b']],
  acls: [[rule('DENY')], [rule('ALLOW')], [rule('DENY'), rule('ALLOW')]],
  list: [[1], [2], [1, 2]],
  // One value: the model's.
  description: ['base', 'own', 'own'],
  strict: [true, false, false],
  forceId: [false, true, true],
  replaceOnPUT: [false, true, true],
  validateUpsert: [false, true, true],
  automaticValidation: [false, true, true],
  persistUndefinedAsNull: [true, false, false],
  updateOnLoad: [true, false, false],
  maxDepthOfQuery: [3, 4, 4],
  maxLimit: [10, 20, 20],
  ttl: [5, 6, 6],
  trackChanges: [false, false, false]
}

/** What a model says of itself alone. LoopBack inherits these. */
const ownOnly: Readonly<Record<string, readonly [base: unknown, inherited: unknown]>> = {
  plural: ['Basies', 'Kids'],
  http: [{ path: 'base' }, undefined],
  excludeBaseProperties: [['a'], undefined],
  deprecated: [{ since: '2026-10-01' }, undefined]
}

const familyOf = (key: string, base: unknown, own: object): Loose => {
  const registry = new ModelRegistry({ settings: { modelDefinitions: 'open' } })
  const properties = { a: 'number', b: 'number' }
  const Base = registry.defineModel({ name: 'Base', base: 'PersistedModel', properties, [key]: base } as Loose)
  return { Base, Kid: registry.defineModel({ name: 'Kid', base: 'Base', ...own } as Loose), registry }
}

t.test('settings of a base are inherited, and merged with those of the model', async t => {
  for (const [key, [base, own, both]] of Object.entries(merged)) {
    t.strictSame(familyOf(key, base, {}).Kid.settings[key], base, `${key} is inherited`)
    const { Base, Kid } = familyOf(key, base, { [key]: own })
    t.strictSame(Kid.settings[key], both, `${key} is merged`)
    t.strictSame(Base.settings[key], base, `${key} of the base stays`)
  }
  for (const [key, [base, inherited]] of Object.entries(ownOnly)) {
    t.strictSame(familyOf(key, base, {}).Kid.settings[key], inherited, `${key} is a model's own`)
  }
})

t.test('null drops what would be inherited', async t => {
  for (const key of ['indexes', 'scope', 'mysql', 'maxLimit', 'description']) {
    const { Kid } = familyOf(key, merged[key]?.[0], { [key]: null })
    t.equal(Kid.settings[key] ?? undefined, undefined, key)
    t.doesNotThrow(() => Kid.compiled, key)
  }
  const { Base, Kid } = familyOf('indexes', merged.indexes?.[0], { indexes: { u: null } })
  t.strictSame([Base.compiled.indexes.length, Kid.compiled.indexes.length], [1, 0], 'one of several')
})

t.test('an index on what a model has no longer is not one of it', async t => {
  const { Base, Kid } = familyOf('indexes', { u: { keys: { a: 1, b: 1 }, options: { unique: true } } }, {
    properties: { b: null }
  })
  t.equal(Base.compiled.indexes.length, 1)
  t.equal(Kid.compiled.indexes.length, 0)
})
