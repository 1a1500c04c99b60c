// packages/docs/definition-keys.md: every key of every file of a folder and of definitions, with what a wrong name and
// a wrong value of it give. Nothing of it is written by hand: each key is tried, and what is said of it stands in the
// table.
import { ModelRegistry } from '../../packages/core/dist/index.js'
import { definitionFaults } from '../../packages/core/dist/definition/vocabulary/faults.js'
import { definitionLocations } from '../../packages/core/dist/definition/vocabulary/locations.js'
import { DefinitionVocabulary } from '../../packages/core/dist/definition/vocabulary/settings.js'
import { keyFaults } from '../../packages/core/dist/definition/vocabulary/faults.js'
import { memoryConnector } from '../../packages/connector-memory/dist/index.js'
import {
  DataSourceVocabulary, MetaVocabulary, MiddlewareEntryVocabulary, ModelEntryVocabulary
} from '../../packages/boot/dist/load/vocabulary.js'

const files = {
  'model-config.json, the entry of a model': ModelEntryVocabulary,
  'model-config.json, `_meta`': MetaVocabulary,
  'datasources.json, a data source': DataSourceVocabulary,
  'middleware.json, an entry': MiddlewareEntryVocabulary
}

/** Values of every kind that JSON has, the first of which that is wrong is shown. */
const values = [{ odd: true }, 'odd', -5, true, [5]]

const consequences = {
  fatal: 'error',
  mistake: 'error where strict, else warning',
  foreign: 'warning'
}

export async function definitionKeys () {
  return [
    '# What a wrong name or value gives',
    'Every key of every file of a folder, and of definitions in code. Written by `node .ci/schemas.mjs --write`, which tries each of them; the tests of the vocabulary try them as well.',
    'Definitions are strict unless the setting `modelDefinitions` says "open", as folders of LoopBack are. "Error" is `FBK_CORE_INVALID_DEFINITION` at the start, with file, model and key; a warning is a line in the log with the same. What only has a warning in a strict application as well may be a key of a mixin or a component of the application.',
    '## Names that lead somewhere',
    'Told when the application starts and all models, relations, methods and roles are there.',
    table(['wrong', 'strict', 'open'], await leads()),
    '## Definitions',
    ...Object.entries({ definition: { schema: DefinitionVocabulary, write: part => part }, ...definitionLocations })
      .flatMap(([name, { schema, write }]) => section(`Keys: ${name}`, schema,
        part => definitionFaults({ name: 'Note', ...write(part) }), part => refusal(write(part)))),
    '## Files of a folder',
    ...Object.entries(files).flatMap(([name, schema]) => section(name, schema, part =>
      keyFaults(part, schema.properties, '').filter(({ kind }) => kind !== 'foreign' || schema.additionalProperties === false)))
  ].join('\n\n') + '\n'
}

/** @param refusalOf what the registry says where the vocabulary says nothing */
function section (name, { properties }, faultsOf, refusalOf = () => undefined) {
  const tell = part => {
    const faults = faultsOf(part)
    return faults.length > 0 ? said(faults) : refusalOf(part)
  }
  const rows = Object.entries(properties).map(([key, schema]) => {
    const wrong = misspelt(key, properties)
    const value = values.find(each => tell({ [key]: each }) !== undefined)
    const isName = refusalOf({ name: undefined }) !== undefined && key === 'name'
    return [
      `\`${key}\``,
      `\`${wrong}\`: ${tell(isName ? { [wrong]: 'Note', name: undefined } : { [wrong]: true }) ?? 'nothing'}`,
      value === undefined ? takesAnything(schema) : `\`${JSON.stringify(value)}\`: ${tell({ [key]: value })}`
    ]
  })
  return [`### ${name}`, table(['key', 'wrong name', 'wrong value'], rows)]
}

const takesAnything = schema => schema.type === undefined && schema.anyOf === undefined
  ? 'carried along, or read by whom it is for'
  : 'takes each of these'

/** What the registry refuses when it reads a definition; every kind of application has the same response. */
function refusal (definition) {
  const log = { warn () {}, info () {}, debug () {} }
  const registry = new ModelRegistry({ log, settings: { modelDefinitions: 'open' } })
  try {
    registry.defineModel({ name: 'Note', ...definition }).compiled.properties.map(({ type }) => type)
  } catch (error) {
    return `${error.message} (error)`
  }
}

const said = faults => faults.length === 0
  ? 'nothing'
  : faults.map(({ says, kind }) => `${says.replace(/\.$/, '')} (${consequences[kind]})`).join('; ')

/** As fingers slip: a letter is missing. */
function misspelt (key, properties) {
  const shorter = key.slice(0, -2) + key.slice(-1)
  return key.length > 3 && !(shorter in properties) ? shorter : `${key}x`
}

const nothing = async () => {}
const cases = {
  'type of a property': [{ properties: { title: 'strng' } }],
  'relation type': [{ relations: { parent: { type: 'belongTo', model: 'Note' } } }],
  'model of a relation': [{ relations: { parent: { type: 'belongsTo', model: 'Nte' } } }],
  base: [{ base: 'PersistedModl' }],
  mixin: [{ mixins: { TimeStmp: true } }],
  'mixin under `options`': [{ options: { mixins: { TimeStmp: true } } }],
  'permission of a rule': [{ acls: [{ permission: 'ALOW', principalId: '$owner' }] }],
  'access type of a rule that allows': [{ acls: [{ permission: 'ALLOW', accessType: 'REED' }] }],
  'access type of a rule that denies': [{ acls: [{ permission: 'DENY', accessType: 'REED' }] }],
  'name in `hidden`': [{ properties: { secret: 'string' }, hidden: ['secrt'] }],
  'operation hook': [{}, Note => { Note.observe('before saev', nothing) }],
  'method of a remote hook': [{}, Note => { Note.beforeRemote('craete', nothing) }],
  'method of `disableRemoteMethodByName`': [{}, Note => { Note.disableRemoteMethodByName('deleteByid') }],
  'part of a filter, of a model that is strict': [{ strict: true }, Note => Note.find({ limt: 1 })],
  'part of a filter, of another model': [{}, Note => Note.find({ limt: 1 })]
}

async function leads () {
  const rows = []
  for (const [what, [definition, use]] of Object.entries(cases)) {
    rows.push([what, await outcome(definition, use, 'strict'), await outcome(definition, use, 'open')])
  }
  rows.push([
    'role or method of an access rule (`$everyon`, `craete`)',
    'a warning with the name that is near, by `@fastback/acl`', 'the same'
  ])
  return rows
}

async function outcome (definition, use, modelDefinitions) {
  const lines = []
  const log = { warn: (_fields, line) => { lines.push(line) }, info () {}, debug () {} }
  const registry = new ModelRegistry({ log, settings: { modelDefinitions } })
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
  registry.mixins.define('TimeStamp', () => {})
  try {
    const Note = registry.defineModel({ name: 'Note', ...definition })
    registry.attach('Note', 'db')
    await use?.(Note)
    await registry.start()
    return lines.length === 0 ? 'nothing' : `warning: ${lines.join(' ')}`
  } catch (error) {
    return `error: ${error.message}`
  } finally {
    await registry.stop()
  }
}

const table = (head, rows) => [head, head.map(() => '---'), ...rows]
  .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
  .join('\n')
