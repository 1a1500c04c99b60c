/**
 * From a model's effective definition to its compiled form: everything that does not depend on a request is decided
 * here.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { CompiledProperty } from '../definition/stored-model.js'
import { compileAccessors } from './accessors.js'
import { compileScopeValues } from './scope-values.js'
import { compileClientRules } from './compile-client-rules.js'
import { compileInstanceValues } from './compile-instance-values.js'
import { compileIndexes } from './compile-indexes.js'
import { compileTextIndex } from './compile-text-index.js'
import { sealedModelOf, type SealedModel } from './sealed-model.js'
import { initialisedBy, mayShortCircuit } from './legacy-hooks.js'
import { defineSlots } from './property-slots.js'
import type { Connector } from '../data-source/connector.js'
import type { BoundDataSource } from '../data-source/bound-data-source.js'
import { InvalidDefinitionError, NotAttachedError } from '../errors.js'
import { isRecorded } from '../history/recorder.js'
import { recordingLayer } from '../history/recording-layer.js'
import { historyIn } from '../history/setting.js'
import type { ModelDefinition, PropertyDefinition } from '../definition/definition.js'
import { strictnessOf } from '../definition/vocabulary/check-definition.js'
import { locationOf } from '../definition/location.js'
import { deletionProperty, softDeleteIn, softDeleteOf } from '../definition/soft-delete-property.js'
import { versionOf } from '../definition/version-property.js'
import { versionMark } from './version-mark.js'
import { withDataSourceSettings } from '../definition/query-settings.js'
import { withStoreIdType } from '../definition/store-id-type.js'
import type { ModelState } from '../interfaces/model-state.js'
import { writeLayerKinds } from '../interfaces/write-layers.js'
import { hashDefinitions } from '../sealing/sealed-properties.js'
import { storedReferences } from '../operations/references.js'
import { withCompoundKeys } from '../operations/compound-keys.js'
import { withFunctions } from '../operations/store-layer.js'
import { softDeleteLayer } from '../operations/soft-delete-layer.js'
import { defaultsLayer } from '../operations/stored-defaults.js'
import { compileProperty } from '../properties/compile-property.js'
import { compileReadBytes, isLoopbacksFormat, loopbackBytes } from '../properties/bytes.js'
import { compileCoerce } from '../properties/coerce.js'
import { compileDefaults } from '../properties/defaults.js'
import { filesByStorage, isFileType } from '../properties/file-type.js'
import { closedType } from '../properties/resolve-type.js'
import { writtenByModels } from '../properties/nested-models.js'
import { compileTextsOf } from '../properties/text-transform.js'
import { plainKinds } from '../properties/plain-kinds.js'
import { compileSchemas } from '../properties/schema.js'
import { compileStringify, compileToPlain } from '../properties/stringify.js'
import type { Selection } from '../query/ast.js'
import { nestedWritesOf } from '../relations/nested/nested-writer.js'
import { warnOnce } from '../warn-once.js'
import { declaredValidations } from '../validations/declared-validations.js'
import { keywordValidations } from '../validations/keywords.js'
import { looseUniqueness } from '../validations/loose-uniqueness.js'
import { requiredValidations } from '../validations/required.js'

/** Compiles a model. Called by the registry on first use and again after changes. */
export function compileModel (state: ModelState): CompiledModel {
  const { definition, Model } = state
  const hidden = new Set(definition.hidden)
  const protectedNames = new Set(definition.protected)
  const declared = withKeyRequired(compileProperties(state, hidden, protectedNames))
  const properties = [...declared, ...internalProperties(state, hashDefinitions(declared))]
  for (const { name, internal } of properties) if (internal) hidden.add(name)
  const propertyByName = new Map(properties.map(property => [property.name, property]))
  const key = properties.filter(isKeyPart).sort((a, b) => a.idPosition - b.idPosition)
  if (key.length > 1) checkCompoundId(definition, key)
  const unknown = unknownPolicy(definition)
  const ofRelations = [...state.relations.values()].flatMap(relation => relation.validations())
  const ofProperties = [
    ...requiredValidations(properties, Model.registry.validators),
    ...keywordValidations(properties, Model.registry.validators)
  ]
  const validations = [...ofProperties, ...declaredValidations(state), ...ofRelations]
  const softDelete = softDeleteOf(definition, propertyByName)
  const sealed = sealedModelOf(state, properties, () => compiled)
  const layers = layersOf(state, properties, key.length > 1, { softDelete, sealed })
  const layer = layers.length === 0
    ? undefined
    : (connector: Connector) => layers.reduce((store, each) => each.before(store), connector)
  let layered: Connector | undefined
  const names = properties.filter(({ internal }) => !internal).map(({ name }) => name)
  // When a row was put away is read where such rows are asked for: of all others it says nothing.
  const read = names.filter(name => name !== softDelete?.name)
  const visible = read.filter(name => !hidden.has(name))
  const version = versionOf(definition, propertyByName)
  const base = {
    name: definition.name,
    Model,
    definition,
    properties,
    propertyByName,
    slots: defineSlots(Model.prototype, names),
    id: key.length === 1 ? key[0] : undefined,
    key,
    version,
    versionMark: versionMark(version, properties.filter(({ name }) => visible.includes(name)), unknown === 'keep'),
    softDelete,
    hasHistory: historyIn(definition.settings) !== undefined,
    isRecorded: isRecorded(Model.registry, definition.settings),
    isOnlyNarrowed: layers.every(({ narrows }) => narrows),
    open: unknown === 'keep',
    indexes: compileIndexes(definition, properties, key, validations, softDelete),
    textIndex: compileTextIndex(definition, properties),
    settings: withDataSourceSettings(definition.settings, state.dataSource?.settings),
    hidden,
    protectedNames,
    unknown,
    files: properties.filter(({ type }) => isFileType(type)).map(({ name }) => name),
    relations: state.relations,
    hooks: state.hookTable(),
    initialised: initialisedBy(state),
    mayBeAnswered: mayShortCircuit(state),
    validations,
    accessors: undefined,
    scopeValues: compileScopeValues(Model, definition, name => propertyByName.has(name)),
    looseUniqueness: looseUniqueness(properties, validations),
    parsing: Model.registry.parsing,
    refusesFilterKeys: saidOf('unknownFilterKeys', state) !== 'ignore',
    hasRelatedConditions: saidOf('relatedConditions', state) !== false,
    hasAggregates: saidOf('aggregates', state) !== false,
    hasCursors: saidOf('cursors', state) !== false,
    refusesRelatedRows: saidOf('nestedWrites', state) !== 'ignore',
    tellIgnored: (message: string): void => { warnOnce(Model.registry, { model: definition.name }, message) },
    includesBeyondFields:
      (definition.settings.includeBeyondFields ?? Model.registry.settings.includeBeyondFields) !== false,
    selectAll: select(read, unknown),
    selectStored: select(properties.map(({ name }) => name), unknown),
    selectVisible: select(visible, unknown),
    selectVersion: select(version === undefined ? [] : [version.name], 'drop'),
    selectByName: select([...visible].sort(), unknown),
    selectIncluded: select(visible.filter(name => !protectedNames.has(name)), unknown),
    get connector (): Connector {
      const { dataSource } = state
      if (dataSource === undefined) throw new NotAttachedError(definition.name, 'an operation')
      if (layer === undefined) return dataSource.store
      return dataSource.isOpen ? (layered ??= layer(dataSource.connector)) : layer(dataSource.store)
    }
  }
  const nested = (name: string): CompiledModel | undefined => Model.registry.findModel(name)?.compiled
  const isOwnWriter = writtenByModels(properties, nested)
  let schemas: CompiledModel['schemas'] | undefined
  let readBytes: { readonly read: CompiledModel['readBytes'] } | undefined
  let texts: { readonly stored: CompiledModel['storedTexts'] } | undefined
  let clientRules: { readonly rules: CompiledModel['clientRules'] } | undefined
  const compiled: CompiledModel = Object.defineProperties(base, {
    stored: { enumerable: true, get: () => sealed === undefined ? compiled : sealed.stored() },
    sealedRows: { enumerable: true, get: () => sealed?.rows() },
    references: { enumerable: true, get: () => storedReferences(state) },
    // Schemas are made on first use: scripts without REST never need them, and they look at other models.
    schemas: { enumerable: true, get: () => (schemas ??= compileSchemas(compiled, nested)) },
    readBytes: {
      enumerable: true, get: () => (readBytes ??= { read: compileReadBytes(compiled, nested) }).read
    },
    storedTexts: {
      enumerable: true, get: () => (texts ??= { stored: compileTextsOf(compiled, nested) }).stored
    },
    clientRules: {
      enumerable: true, get: () => (clientRules ??= { rules: compileClientRules(compiled, nested) }).rules
    },
    storeText: { enumerable: true, get: () => isOwnWriter() || hasAccessors() ? undefined : compiled.connector.text }
  }) as unknown as CompiledModel
  const hasAccessors = (): boolean => compiled.accessors !== undefined
  Object.assign(compiled, {
    coerce: compileCoerce(compiled, nested),
    applyDefaults: compileDefaults(properties, definition.settings.persistUndefinedAsNull === true),
    held: compileInstanceValues(properties, nested),
    stringify: compileStringify(compiled, nested),
    toPlain: compileToPlain(compiled, nested),
    nests: nestedWritesOf(compiled)
  })
  return Object.assign(compiled, compileAccessors(compiled, state.getters, state.setters))
}

interface Layer {
  readonly before: (connector: Connector) => Connector
  /** Whether reads are the store's own, if of fewer rows. */
  readonly narrows: boolean
}

const changing = (before: Layer['before']): Layer => ({ before, narrows: false })

/** What stands between the model and its store, that which is nearest to the store first. */
function layersOf (
  state: ModelState, properties: readonly CompiledProperty[], isCompound: boolean,
  { softDelete, sealed }: { softDelete: CompiledProperty | undefined, sealed: SealedModel | undefined }
): Layer[] {
  const own = state.chain().findLast(each => each.storeLayer !== undefined)?.storeLayer
  const defaults = defaultsLayer(properties, state.definition.settings)
  return [
    ...(isCompound ? [changing(withCompoundKeys)] : []),
    ...(sealed === undefined ? [] : [changing(sealed.layer)]),
    ...(own === undefined ? [] : [changing(own)]),
    ...(defaults === undefined ? [] : [changing(defaults)]),
    ...fileLayers(state, properties).map(changing),
    ...writeLayers(state, softDelete)
  ]
}

function writeLayers (state: ModelState, softDelete: CompiledProperty | undefined): Layer[] {
  const chain = state.chain()
  return writeLayerKinds.flatMap(kind => {
    if (kind === 'softDelete' && softDelete !== undefined) {
      return [{ before: store => softDeleteLayer(store, state.Model, softDelete.name), narrows: true }]
    }
    if (kind === 'recording' && isRecorded(state.Model.registry, state.definition.settings)) {
      return [{ before: store => recordingLayer(store, state.Model), narrows: true }]
    }
    const layer = chain.findLast(({ writeLayers: own }) => own.has(kind))?.writeLayers.get(kind)
    return layer === undefined ? [] : [changing(connector => layer(connector, state.Model))]
  })
}

/**
 * What keeps the files of properties, beside the rows.
 * @throws FBK_CORE_INVALID_DEFINITION for a data source that is not there, or keeps no files
 */
function fileLayers (
  { definition, dataSource, Model: { registry } }: ModelState, properties: readonly CompiledProperty[]
): Array<(connector: Connector) => Connector> {
  return [...filesByStorage(properties) ?? []].map(([storage, files]) => {
    const keeper = registry.dataSources[storage]?.connector
    if (keeper?.keepFiles === undefined) {
      const why = keeper === undefined ? 'is no data source' : 'is a data source that keeps no files'
      throw new InvalidDefinitionError(
        locationOf(definition, `properties.${files[0]?.name as string}.storage`),
        `"${storage}" ${why}; name one with the connector of @fastback/storage`
      )
    }
    return store => withFunctions(
      store, keeper.keepFiles?.(files, store, (dataSource as BoundDataSource | undefined)?.currentTransaction) ?? {}
    )
  })
}

const isKeyPart = ({ idPosition }: CompiledProperty): boolean => idPosition > 0

/** A row without one of the parts of a compound id would be a row that nobody can ask for. */
function withKeyRequired (properties: readonly CompiledProperty[]): readonly CompiledProperty[] {
  if (properties.filter(isKeyPart).length < 2) return properties
  return properties.map(property => isKeyPart(property) ? { ...property, required: true } : property)
}

/** @throws FBK_CORE_INVALID_DEFINITION */
function checkCompoundId (definition: ModelDefinition, key: readonly CompiledProperty[]): void {
  const refuse = (name: string, why: string): never => {
    throw new InvalidDefinitionError(locationOf(definition, `properties.${name}`), why)
  }
  for (const { name, type, generated } of key) {
    if (!plainKinds.has(type.kind)) {
      refuse(name, `is part of a compound id and of type "${type.kind}"; parts are strings, numbers, booleans or dates`)
    }
    if (generated) {
      refuse(name, 'is part of a compound id and "generated": rows bring all parts of such an id; take "generated" away, or make this property the only id and the others a unique index')
    }
  }
  if (definition.settings.forceId === true) {
    throw new InvalidDefinitionError(
      locationOf(definition, 'forceId'),
      'is true, but no store gives compound ids out: rows bring all their parts; take it away'
    )
  }
}

function internalProperties (
  { internal, own, settings }: ModelState, others: ReadonlyArray<readonly [string, PropertyDefinition]>
): CompiledProperty[] {
  const ofSoftDelete = softDeleteIn(settings) === undefined
    ? []
    : [[deletionProperty, { type: 'string', index: true }] as const]
  return [...internal, ...ofSoftDelete, ...others].map(([property, definition]) => ({
    ...compileProperty(property, { ...definition, hidden: true }, { model: own.name, property }), internal: true
  }))
}

function compileProperties (
  state: ModelState,
  hidden: ReadonlySet<string>,
  protectedNames: ReadonlySet<string>
): CompiledProperty[] {
  const { definition } = state
  const { settings, log } = state.Model.registry
  const tolerate = (message: string): void => { log.warn({ model: definition.name }, message) }
  const tolerance = {
    ...strictnessOf(settings.modelDefinitions) === 'open' ? { tolerate } : {},
    ignoresKeywords: saidOf('propertyKeywords', state) === 'ignore'
  }
  const isLoopbacks = isLoopbacksFormat(definition.settings.bufferFormat ?? settings.bufferFormat)
  const closed = (definition.settings.strictEmbeddedModels ?? state.dataSource?.settings.strictEmbeddedModels) === true
  return Object.entries(definition.properties).map(([name, property]) => {
    const written = withStoreIdType(property, state)
    const flags = { hidden: hidden.has(name), protected: protectedNames.has(name) }
    const compiled = compileProperty(
      name,
      { ...written, ...flags },
      {
        model: definition.name,
        property: name,
        ...tolerance,
        ...(definition.source === undefined ? {} : { source: definition.source })
      }
    )
    const type = isLoopbacks ? loopbackBytes(compiled.type) : compiled.type
    return { ...compiled, type: closed ? closedType(type) : type }
  })
}

/**
 * What happens to properties that are not declared (behaviour.md, section 9: `strict`). Connected models without the
 * setting are open.
 */
function unknownPolicy (definition: ModelDefinition): CompiledModel['unknown'] {
  switch (definition.settings.strict) {
    case undefined:
    case null:
    case false:
      return 'keep'
    case 'filter':
      return 'drop'
    case true:
    case 'throw':
    case 'validate':
      return 'refuse'
    default:
      throw new InvalidDefinitionError(
        locationOf(definition, 'strict'),
        'must be true, false, "filter", "throw" or "validate"'
      )
  }
}

type Said =
  'unknownFilterKeys' | 'relatedConditions' | 'aggregates' | 'cursors' | 'nestedWrites' | 'propertyKeywords'

/** What the model says, else the application. */
const saidOf = (setting: Said, { definition, Model }: ModelState): unknown =>
  definition.settings[setting] ?? Model.registry.settings[setting]

const select = (names: readonly string[], unknown: CompiledModel['unknown']): Selection => ({
  names,
  extra: unknown === 'keep' ? 'all' : 'none'
})
