import t from 'tap'
import { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

interface Line { fields: Record<string, unknown>, message: string }

async function start (
  definitions: ModelDefinitionInput[], modelDefinitions: 'strict' | 'open',
  prepare: (registry: ModelRegistry) => void = () => {}
): Promise<Line[]> {
  const lines: Line[] = []
  const warn = (fields: Record<string, unknown>, message: string): void => { lines.push({ fields, message }) }
  const registry = new ModelRegistry({ log: { warn, info () {}, debug () {} }, settings: { modelDefinitions } })
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
  for (const definition of definitions) {
    registry.defineModel(definition, { source: 'common/models/note.json' })
    registry.attach(definition.name, 'db')
  }
  prepare(registry)
  await registry.start()
  await registry.stop()
  return lines
}

t.test('types that are none', async t => {
  const note = {
    name: 'Note',
    properties: { title: 'strng', tags: ['numbr'], dims: { w: 'Note' }, at: 'date', parent: 'Note', next: ['Later'] }
  }
  const later = { name: 'Later', properties: {} }
  await t.rejects(start([note, later], 'strict'), {
    code: 'FBK_CORE_INVALID_DEFINITION',
    message: 'common/models/note.json: model "Note", property "title": has the type "strng", ' +
      'which is no type and no model. Did you mean "string"?'
  })
  t.strictSame((await start([note, later], 'open')).map(({ message }) => message), [
    'common/models/note.json: model "Note", property "title": has the type "strng", which is no type and no model. ' +
      'Did you mean "string"? Its values are not looked at.',
    'common/models/note.json: model "Note", property "tags": has the type "numbr", which is no type and no model. ' +
      'Did you mean "number"? Its values are not looked at.'
  ])
})

t.test('methods that hooks and disableRemoteMethodByName name', async t => {
  const prepare = (registry: ModelRegistry): void => {
    const { Note } = registry.models as Record<string, any>
    const nothing = async (): Promise<void> => {}
    Note.beforeRemote('create', nothing)
    Note.beforeRemote('craete', nothing)
    Note.afterRemote('prototype.updateAttributes', nothing)
    Note.afterRemote('prototype.*', nothing)
    Note.afterRemoteError('ofBaseOnlyInMemo', nothing)
    Note.disableRemoteMethodByName('deleteByid')
    Note.disableRemoteMethodByName('prototype.__get__memos')
    Note.disableRemoteMethodByName('find')
    Note.beforeRemote('find', nothing)
    Note.disableRemoteMethodByName('quiteAnotherThing')
    registry.remoteHooks.push({ moment: 'before', pattern: 'Note.fnd', listener: nothing })
    ;(registry.models.Memo as any).ofBaseOnlyInMemo = nothing
  }
  const definitions = [
    { name: 'Note', properties: {}, relations: { memos: { type: 'hasMany', model: 'Memo' } } },
    { name: 'Memo', base: 'Note', properties: {}, methods: { ofBaseOnlyInMemo: { isStatic: true } } }
  ] as ModelDefinitionInput[]
  const near = [
    'Note.beforeRemote("craete"): there is no such method. Did you mean "create"?',
    'Note.disableRemoteMethodByName("deleteByid"): there is no such method. Did you mean "deleteById"?',
    'A remote hook of the application is for "Note.fnd", which is no method. Did you mean "Note.find"?'
  ]
  const said = async (how: 'strict' | 'open'): Promise<string[]> =>
    (await start(definitions, how, prepare)).map(({ message }) => message)
  t.strictSame((await said('open')).sort(), [...near].sort())
  t.strictSame((await said('strict')).sort(),
    [...near, 'Note.disableRemoteMethodByName("quiteAnotherThing"): there is no such method.'].sort())
})

t.test('methods of a definition without a function', async t => {
  const definitions = [{
    name: 'Note', properties: {}, methods: { shout: {}, whisper: {}, gone: false, 'prototype.finish': {}, 'prototype.open': {} }
  }] as unknown as ModelDefinitionInput[]
  const prepare = (registry: ModelRegistry): void => {
    const { Note } = registry.models as Record<string, any>
    Note.whisper = Note.prototype.open = () => {}
  }
  t.strictSame((await start(definitions, 'open', prepare)).map(({ message }) => message), [
    'common/models/note.json: model "Note", method "shout": there is no function Note.shout, so that calls fail. Write it in the model\'s script.',
    'common/models/note.json: model "Note", method "prototype.finish": there is no function Note.prototype.finish, so that calls fail. Write it in the model\'s script.'
  ])
})

t.test('properties that validations name', async t => {
  const properties = { title: 'string' }
  const prepare = (registry: ModelRegistry): void => {
    const { Note, Open } = registry.models as Record<string, any>
    Note.validatesLengthOf('titel', { min: 3 })
    Note.validatesPresenceOf('title', 'authorId')
    Open.validatesPresenceOf('anything')
  }
  const definitions = [
    { name: 'Note', strict: true, properties, relations: { author: { type: 'belongsTo', model: 'Open' } } },
    { name: 'Open', properties }
  ]
  t.match((await start(definitions, 'open', prepare)).filter(({ fields }) => 'property' in fields), [{
    fields: { model: 'Note', property: 'titel' },
    message: 'A validation (length) of "Note" is of "titel", which is no property. Did you mean "title"?'
  }])
})
