import t from 'tap'
import { Type } from '@sinclair/typebox'
import { ModelRegistry } from '../../registry.js'
import { definitionFaults, entryFaults } from './faults.js'
import { definitionLocations as places } from './locations.js'
import { DefinitionVocabulary } from './settings.js'

/** A definition with one key somewhere, and what is said of it. */
const said = (definition: object): string[] =>
  definitionFaults({ name: 'Note', ...definition }).map(({ at, says, kind }) => `${kind}: ${at} ${says}`)

t.test('a wrong name of every key is told', async t => {
  for (const [part, { schema, write }] of Object.entries(places)) {
    for (const key of Object.keys(schema.properties)) {
      const wrong = `${key}Xy`
      const lines = said(write({ [wrong]: true }))
      t.equal(lines.length, 1, `${part}, ${wrong}: ${lines.join(' ')}`)
      t.match(lines[0], 'is not known', `${part}, ${wrong}`)
    }
  }
})

t.test('a wrong value of every key that has a kind is told', async t => {
  const anything = (schema: Readonly<Record<string, unknown>>): boolean =>
    schema.type === undefined && schema.anyOf === undefined && schema.const === undefined
  for (const [part, { schema, write }] of Object.entries(places)) {
    for (const [key, expected] of Object.entries(schema.properties)) {
      if (anything(expected) || (part === 'relation' && (key === 'type' || key === 'options'))) continue
      const lines = said(write({ [key]: Symbol('wrong') }))
      t.equal(lines.length, 1, `${part}, ${key}`)
      t.match(lines[0], 'must be', `${part}, ${key}: ${lines.join(' ')}`)
    }
  }
})

t.test('near names are told with what was meant', async t => {
  t.strictSame(said({ properties: { title: { type: 'string', requird: true } } }), [
    'mistake: property "title", requird is not known. Did you mean "required"?'
  ])
  t.strictSame(said({ forceid: true }), ['mistake: forceid is not known. Did you mean "forceId"?'])
  t.strictSame(said({ relations: { owner: { type: 'belongsTo', foreignkey: 'x' } } }), [
    'mistake: relation "owner", foreignkey is not known. Did you mean "foreignKey"?'
  ])
  t.strictSame(said({ methods: { greet: { acepts: [] } } }), [
    'mistake: method "greet", acepts is not known. Did you mean "accepts"?'
  ])
})

t.test('an entry of model-config.json has no mixins', async t => {
  t.match(entryFaults({ options: { mixins: { Stamp: true }, maxLimit: 3 } }), [{ at: 'options, mixins', kind: 'mistake' }])
  t.strictSame(entryFaults({ options: { maxLimit: 3 } }), [])
})

t.test('what a rule of access says must be certain', async t => {
  t.strictSame(said({ acls: [{ permission: 'ALOW', principalId: '$owner' }] }), [
    'mistake: acls[0], permission must be one of "ALLOW", "DENY", "ALARM", "AUDIT". Did you mean "ALLOW"? The rule denies.'
  ])
  t.strictSame(said({ acls: [{ permission: 'ALLOW', accessType: 'REED' }] }), [
    'mistake: acls[0], accessType must be one of "READ", "WRITE", "EXECUTE", "REPLICATE", "*". Did you mean "READ"?'
  ], 'it opens nothing')
  t.strictSame(said({ acls: [{ permission: 'allow', accessType: '', property: null, principalId: 1 }] }), [], 'as LoopBack takes it')
  t.strictSame(said({ acls: [{ permission: 'DENY', accessType: 'REED' }] }), [
    'fatal: acls[0], accessType must be one of "READ", "WRITE", "EXECUTE", "REPLICATE", "*". Did you mean "READ"?'
  ])
})

t.test('what belongs to connectors, mixins and the application is left alone', async t => {
  t.strictSame(said({ mysql: { columnName: 'x' }, properties: { title: { type: 'string', Mysql: { columnName: 'T' } } } }), [])
  t.strictSame(said({ properties: { place: { lat: 'number', anything: 'string' } } }), [], 'an object of members')
  t.strictSame(said({ timestampsOfMine: { on: true } }), ['foreign: timestampsOfMine is not known.'])
  t.strictSame(said({ properties: Type.Object({ title: Type.String() }) }), [], 'a TypeBox object says what it may say')
  t.strictSame(said(Object.fromEntries(Object.keys(DefinitionVocabulary.properties)
    .filter(key => !['name', 'public', '$schema', 'plural', 'acls'].includes(key)).map(key => [key, {}]))), [])
})

const lines: string[] = []
const log = { warn: (_fields: object, line: string) => { lines.push(line) }, info () {}, debug () {} }

t.test('a registry refuses mistakes, unless it is open: then it tells them', async t => {
  const definition = { name: 'Note', forceid: true, color: 'red' }
  const strict = new ModelRegistry({ log })
  t.throws(() => strict.defineModel(definition), {
    code: 'FBK_CORE_INVALID_DEFINITION', message: /model "Note", forceid: is not known. Did you mean "forceId"\?/
  })
  lines.length = 0
  const open = new ModelRegistry({ log, settings: { modelDefinitions: 'open' } })
  open.defineModel(definition, { source: 'common/models/note.json' })
  t.strictSame(lines, [
    'common/models/note.json: model "Note", forceid: is not known. Did you mean "forceId"?',
    'common/models/note.json: model "Note", color: is not known.'
  ])
  t.throws(() => open.defineModel({ name: 'Other', acls: [{ permission: 'DENY', accessType: 'REED' as string }] }), {
    code: 'FBK_CORE_INVALID_DEFINITION'
  })
  t.throws(() => new ModelRegistry({ settings: { modelDefinitions: 'lax' } }).defineModel({ name: 'Note' }), {
    code: 'FBK_CORE_INVALID_SETTING'
  })
})
