/** UP-04, UP-05, UP-07, UP-08, UP-09: definitions of models. */
import type { JSONPath } from 'jsonc-parser'
import { findMixins, sameMixin } from '../../load/mixins.js'
import type { JsonFile } from '../json-file.js'
import { atKey, atNode, renameKey, replace, type Found, type UpgradeEdit, type UpgradeRule } from '../rule.js'
import { someModel } from '../script.js'
import type { Sources } from '../sources.js'
import { argumentsOf, calledMethod, child, keyOf, memberName, nameOf, propertyOf, receiver, stringOf } from '../syntax.js'

const sqlConnectors = new Set(['postgresql', 'mysql', 'sqlite3', 'mssql', 'oracle', 'mariadb', 'sql'])

const sends = (isTest: boolean) => ({
  what: `a ${isTest ? 'test' : 'client'} that sends PUT: it replaces the row`,
  after: 'PATCH, or POST to …/replaceOrCreate',
  isWeak: true
})

export const putReplaces: UpgradeRule = {
  rule: 'UP-04',
  severity: 'changes',
  what: 'PUT replaces a row whole: set "replaceOnPUT" to false, or let clients send PATCH',
  find: ({ definitions, clients, scripts }, { keepPut = false }) => [
    ...definitions.all
      .filter(({ name }) => definitions.isPersisted(name) && definitions.isPublic(name) &&
        definitions.setting(name, 'replaceOnPUT') === undefined)
      .map(({ name, json }) => atKey(json, ['name'], {
        what: `PUT /${name} replaces the row, and what is not sent is gone; PATCH changes what is sent`,
        after: '"replaceOnPUT": false',
        edits: keepPut ? [{ file: json.file, at: ['replaceOnPUT'], value: false }] : undefined
      })),
    ...[...clients, ...scripts.filter(({ file }) => /(^|\/)tests?\//.test(file))].flatMap(script => [
      ...script.calls('put').filter(call => /\/api\//.test(script.source(argumentsOf(call)[0] ?? call))),
      ...script.all('Property').filter(each => keyOf(each) === 'method' && stringOf(child(each, 'value')) === 'PUT')
    ].map(node => atNode(script, node, sends(!script.role.isClient))))
  ]
}

/** Mixins that code or a package defines: whether there is one by a name cannot be told without running it. */
const definesMixins = ({ scripts, manifest }: Sources): boolean =>
  scripts.some(script => script.calls('define').some(call => memberName(receiver(call)) === 'mixins')) ||
  ['dependencies', 'optionalDependencies'].some(group => manifest.keys(group).some(name => /mixin|^loopback-(ds|component)-/.test(name)))

export const mixins: UpgradeRule = {
  rule: 'UP-05',
  severity: 'breaks',
  what: 'a mixin that no folder of "_meta.mixins" has stops the start',
  find: sources => {
    const { folder, modelConfig, definitions } = sources
    const named = modelConfig.value('_meta', 'mixins')
    const places = Array.isArray(named) ? named.filter(each => typeof each === 'string') : ['./mixins', '../common/mixins']
    const there = findMixins(folder, places)
    const isUnsure = definesMixins(sources) || places.some(each => /node_modules/.test(each) && folder.find(each) === undefined)
    return definitions.all.flatMap(({ json }) => json.keys('mixins')
      .filter(name => json.value('mixins', name) !== false && !there.some(each => sameMixin(each.name, name)))
      .map(name => atKey(json, ['mixins', name], isUnsure
        ? { what: `no folder has the mixin "${name}" (${places.join(', ')}); a package or code may define it: look yourself`, after: '', isWeak: true }
        : { what: `the mixin "${name}" is in none of ${places.join(', ')}`, after: `a file for it in one of them, or no "${name}"` })))
  }
}

export const dots: UpgradeRule = {
  rule: 'UP-07',
  severity: 'breaks',
  what: 'names of properties have no dots',
  find: ({ definitions, scripts }, { renameDots }) => [
    ...definitions.all.flatMap(({ name: model, json }) => json.keys('properties').filter(name => name.includes('.')).map(name => {
      const renamed = name.replaceAll('.', renameDots ?? '_')
      return atKey(json, ['properties', name], {
        what: `the property "${name}" cannot be called so; conditions and lists of fields that name it follow by hand`,
        after: `"${renamed}"`,
        edits: renameDots === undefined || json.has('properties', renamed)
          ? undefined
          : [
              ...renameKey(json, ['properties', name], renamed),
              { file: json.file, at: ['properties', renamed], value: withOldName(json.value('properties', name), name, definitions.connector(model)) }
            ]
      })
    })),
    ...scripts.flatMap(script => script.calls('defineProperty').flatMap(call => {
      const name = argumentsOf(call).map(stringOf).find(each => each !== undefined)
      const isModel = script.modelOf(receiver(call)) !== undefined
      return isModel && name?.includes('.') === true
        ? [atNode(script, call, { what: `the property "${name}" cannot be called so`, after: name.replaceAll('.', '_') })]
        : []
    }))
  ]
}

/** The property with the name that the database has for it. */
function withOldName (property: unknown, name: string, connector = 'memory'): unknown {
  const settings = typeof property === 'object' && property !== null && !Array.isArray(property) ? property : { type: property }
  if (connector === 'mongodb') return { ...settings, mongodb: { fieldName: name } }
  return sqlConnectors.has(connector) ? { ...settings, [connector]: { columnName: name } } : settings
}

/** Where definitions name a model. */
function placesOf ({ definitions, modelConfigs }: Sources, model: string): Array<{ json: JsonFile, at: JSONPath }> {
  return [...definitions.all.map(({ json }) => json), ...modelConfigs].flatMap(json => ['relations', 'acls', 'options'].flatMap(group => {
    const held = json.value(group)
    const keys = typeof held === 'object' && held !== null ? Object.keys(held) : []
    return keys.flatMap(key => ['model', 'through'].map(end => ({
      json, at: [group, Array.isArray(held) ? Number(key) : key, end]
    })))
  }).filter(({ at }) => json.value(...at) === model).concat(json.value('base') === model ? [{ json, at: ['base'] }] : []))
}

const renamedFile = 'UserFile'

export const fileModel: UpgradeRule = {
  rule: 'UP-08',
  severity: 'breaks',
  what: 'a model called File needs another name ("plural": "files" keeps its paths)',
  find: sources => {
    const { definitions, modelConfigs, scripts } = sources
    const file = definitions.named('File')
    if (file === undefined) return []
    const { json } = file
    const set = (key: JSONPath, value: unknown): UpgradeEdit => ({ file: json.file, at: key, value })
    const connector = definitions.connector('File')
    const relations = json.keys('relations')
      .filter(each => /^has(Many|One)$/.test(String(json.value('relations', each, 'type'))) && !json.value('relations', each, 'foreignKey'))
    return [
      atKey(json, ['name'], {
        what: 'the framework has a type File; rows with the old name in a polymorphic relation follow by hand',
        after: `"name": "${renamedFile}", "plural": "files"`,
        edits: [
          set(['name'], renamedFile),
          ...(json.has('plural') ? [] : [set(['plural'], 'files')]),
          ...relations.map(each => set(['relations', each, 'foreignKey'], 'fileId')),
          ...(connector === 'mongodb' && !json.has('mongodb', 'collection') && !json.has('options', 'mongodb')
            ? [set(['mongodb'], { collection: 'File' })]
            : []),
          ...(connector !== undefined && sqlConnectors.has(connector) && !json.has(connector) && !json.has('options', connector)
            ? [set([connector], { [connector === 'oracle' || connector === 'mssql' ? 'name' : 'table']: connector === 'postgresql' ? 'file' : 'File' })]
            : [])
        ]
      }),
      ...modelConfigs.filter(each => each.has('File')).map(each => atKey(each, ['File'], {
        what: 'the entry of the model File', after: `"${renamedFile}"`, edits: renameKey(each, ['File'], renamedFile)
      })),
      ...placesOf(sources, 'File').map(place => atKey(place.json, place.at, {
        what: 'names the model File', after: `"${renamedFile}"`, edits: [{ file: place.json.file, at: place.at, value: renamedFile }]
      })),
      ...scripts.flatMap(script => script.all('MemberExpression')
        .filter(node => memberName(node) === 'File' && memberName(child(node, 'object')) === 'models')
        .map(node => child(node, 'property'))
        .filter(node => node !== undefined)
        .map(node => atNode(script, node, {
          what: 'names the model File', after: renamedFile, edits: [replace(script, node, nameOf(node) === undefined ? `'${renamedFile}'` : renamedFile)]
        }))),
      ...scripts.flatMap(script => script.calls('getModel', 'findModel').map(call => ({ script, name: argumentsOf(call)[0] }))
        .flatMap(({ script, name }): Found[] => name === undefined || stringOf(name) !== 'File'
          ? []
          : [atNode(script, name, { what: 'names the model File', after: renamedFile, edits: [replace(script, name, `'${renamedFile}'`)] })]))
    ]
  }
}

export const forceId: UpgradeRule = {
  rule: 'UP-09',
  severity: 'changes',
  what: 'rows of models with generated ids are made without one, or the model says "forceId": false',
  find: ({ definitions, scripts }, { keepIds = false }) => [
    ...definitions.all
      .filter(({ name }) => definitions.isPersisted(name) && definitions.isUsed(name) &&
        definitions.hasGeneratedId(name) && definitions.setting(name, 'forceId') === undefined)
      .map(({ name, json }) => atKey(json, ['name'], {
        what: `a new ${name} that is sent with an id is refused`,
        after: '"forceId": false',
        edits: keepIds ? [{ file: json.file, at: ['forceId'], value: false }] : undefined
      })),
    ...scripts.flatMap(script => script.calls('create').flatMap((call): Found[] => {
      const model = script.modelOf(receiver(call))
      const isConcerned = model !== undefined && (model === someModel || definitions.named(model) === undefined ||
        (definitions.setting(model, 'forceId') === undefined && definitions.hasGeneratedId(model)))
      const [data] = argumentsOf(call)
      if (!isConcerned || data === undefined || calledMethod(call) !== 'create') return []
      return propertyOf(script.valueBehind(data), 'id') === undefined
        ? []
        : [atNode(script, call, { what: 'create() with an id is refused for a model whose ids are generated', after: 'no id, or "forceId": false' })]
    }))
  ]
}
