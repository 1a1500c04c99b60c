/** The model of a change list, as code of applications knows it (SY-29). */
import { isRemote, type DataSource, type HookContext, type ModelClass, type Row } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { addInternalProperty, findRowById, setStoreLayer } from '@fastback/core/remote'
import { bothDeleted, sameRevision, typeOf, type ChangeRow } from './change.js'
import { changeConstants } from './change-constants.js'
import { ChangeLog } from './change-log.js'
import { leavingNotes, noteProperties } from './change-note.js'
import { changesSince } from './changes.js'
import { changeId, revisionOf } from './revision.js'
import { readsOf } from './row-access.js'
import { diff } from './diff.js'
import { isSynced } from './sync-settings.js'
import { rectifyAll } from './upkeep.js'

/** What may not be asked of a change list over REST, should an application publish it (SYD-2). */
const writing = [
  'create', 'patchOrCreate', 'replaceOrCreate', 'upsertWithWhere', 'replaceById', 'updateAll', 'deleteById',
  'prototype.patchAttributes', 'createChangeStream'
]

/** What every change has. */
export const changeProperties = {
  id: { type: 'string', id: true, generated: false },
  rev: 'string',
  prev: 'string',
  checkpoint: { type: 'number', index: true },
  modelName: 'string',
  // Pulls find the change of a row by the id of the row, in whose order they read.
  modelId: { type: 'string', index: true }
} as const

const kDefined = Symbol('fastback.sync.changeModel')
type Tracked = ModelClass & { [kDefined]?: ModelClass }

/** Makes `<Model>-change`, or takes the one that code asked for before, and attaches it to the model's data source. */
export function attachChangeModel (Model: ModelClass, dataSource: DataSource): ModelClass {
  const known = definedFor(Model)
  const Change = known === undefined || known.dataSource !== null ? defineChangeModel(Model) : known
  return Model.registry.attach(Change, dataSource as never, { public: false })
}

/** The change model of a model that is attached later: applications give it checkpoints of its own before. */
export const changeModelOf = (Model: ModelClass): ModelClass => definedFor(Model) ?? defineChangeModel(Model)

const definedFor = (Model: Tracked): ModelClass | undefined =>
  Object.hasOwn(Model, kDefined) ? Model[kDefined] : undefined

function defineChangeModel (Model: ModelClass): ModelClass {
  const { registry, modelName, settings } = Model
  const name = `${modelName}-change`
  const isNoted = isSynced(Model)
  const Change = registry.defineModel({
    name,
    base: 'PersistedModel',
    strict: true,
    ...(settings.hashAlgorithm === undefined ? {} : { hashAlgorithm: settings.hashAlgorithm }),
    properties: {
      ...(settings.additionalChangeModelProperties as object | undefined),
      ...changeProperties
    },
    // The id is a hash, which falls anywhere: an index by it would be a page more for SQLite to write with each row.
    sqlite3: { key: 'modelId' }
  } as never, { replaces: registry.findModel(name) !== undefined }) as ModelClass
  if (isNoted) addNotes(Change)
  for (const method of writing) Change.disableRemoteMethodByName(method)
  Change.settings.acls = rulesOfCalls(settings.acls) as typeof settings.acls
  Change.observe('access', context => onlyReadable(Model, context))
  Change.observe('before save', nameChange)
  addStatics(Change, Model)
  addMethods(Change, Model)
  Object.defineProperty(Model, kDefined, { value: Change, configurable: true, writable: true })
  return Change
}

/**
 * Rules of a model for the list of its changes: what they say of rows and properties of the model is judged by the rows
 * (`onlyReadable`), which have other properties than their changes.
 */
function rulesOfCalls (acls: unknown): unknown {
  if (!Array.isArray(acls)) return acls
  const rules = acls as ReadonlyArray<Readonly<Record<string, unknown>>>
  if (!rules.some(rule => ofRows.some(key => rule[key] !== undefined))) return acls
  // One that denies some rows denies no call.
  return rules.filter(({ permission, rows }) => rows === undefined || String(permission).toUpperCase() !== 'DENY')
    .map(rule => Object.fromEntries(Object.entries(rule).filter(([key]) => !ofRows.includes(key))))
}

const ofRows: readonly string[] = ['rows', 'check', 'preset', 'fields']

function addNotes (Change: ModelClass): void {
  for (const [name, type] of Object.entries(noteProperties)) addInternalProperty(Change, name, { type })
  setStoreLayer(Change, leavingNotes)
}

/**
 * What a caller sees of a published change list is what they see of the rows: nothing, where they may not read all of
 * these, as its revisions are those of whole rows (security.md, S-142).
 */
async function onlyReadable (Model: ModelClass, context: HookContext): Promise<void> {
  if (!isRemote(context.options)) return
  const isWhole = await readsOf(Model, context.options) === undefined
  const seen = isWhole ? await changesSince(Model, -1, undefined, context.options) : []
  const query = (context as unknown as { query: { where?: object } }).query
  query.where = { and: [query.where ?? {}, { id: { inq: seen.map(({ id }) => id) } }] }
}

/** The id of a change that code stores itself. */
function nameChange ({ instance }: HookContext): void {
  const change = instance as ChangeRow | undefined
  if (change !== undefined && (change.id ?? '') === '') change.id = changeId(change.modelName, change.modelId)
}

type Method = (this: unknown, ...values: any[]) => unknown

/** With a callback, or giving a promise. */
const both = (Model: ModelClass, method: (self: unknown, values: readonly any[]) => unknown, spread = false): Method =>
  function (...args) {
    const { values, callback } = splitCallback(args)
    return promiseOrCallback(async () => await method(this, values), callback, spread, Model.registry)
  }

function addStatics (Change: ModelClass, Model: ModelClass): void {
  const log = (): ChangeLog => ChangeLog.of(Model)
  const rectify = async (ids: readonly unknown[]): Promise<void> => {
    const errors: unknown[] = []
    for (const id of ids) await Promise.resolve(log().rectify(id)).catch((error: unknown) => errors.push(error))
    if (errors.length === 0) return
    throw Object.assign(new Error(`Cannot rectify ${Model.modelName} changes`), { details: { errors } })
  }
  Object.assign(Change, {
    ...changeConstants,
    revisionForInst: (row: Row | null | undefined) => row ? revisionOf(Model, row) : null,
    getCheckpointModel: () => log().checkpoints.Model,
    findOrCreateChange: both(Model, async (_, [, id]) => {
      await log().rectify(id)
      return await changeOf(Change, Model, id)
    }),
    rectifyModelChanges: both(Model, async (_, [, ids]) => { await rectify(ids as unknown[]) }),
    rectifyAll: both(Model, async () => { await rectifyAll(log()) }),
    diff: both(Model, async (_, [, since, changes]) => {
      const { deltas, conflicts } = await diff(Model, since, changes, undefined)
      const instances = (list: readonly object[]): unknown[] => list.map(change => new Change(change as Row))
      return { deltas: instances(deltas), conflicts: instances(conflicts) }
    })
  })
}

/** The change of a row as an instance; one that is not stored where there is none. */
async function changeOf (Change: ModelClass, Model: ModelClass, id: unknown): Promise<unknown> {
  const found = await ChangeLog.of(Model).last(id)
  return new Change((found ?? {
    id: changeId(Model.modelName, id), modelName: Model.modelName, modelId: String(id)
  }) as Row, { persisted: found !== undefined })
}

function addMethods (Change: ModelClass, Model: ModelClass): void {
  const self = (change: unknown): ChangeRow & Row => change as ChangeRow & Row
  const row = async (change: unknown): Promise<Row | null> =>
    await findRowById(Model.compiled, self(change).modelId, undefined, {}) ?? null
  const members: Record<string, Method> = {
    type () { return typeOf(self(this)) },
    equals (other: ChangeRow) { return sameRevision(self(this), other) },
    isBasedOn (other: ChangeRow) { return self(this).prev === other.rev },
    conflictsWith (other: ChangeRow | undefined) {
      const own = self(this)
      if (!other || sameRevision(own, other) || bothDeleted(own, other)) return false
      return own.prev !== other.rev
    },
    getModelCtor () { return Model },
    getModelId () {
      const { id } = Model.compiled
      const { modelId } = self(this)
      return id?.type.kind === 'number' ? Number(modelId) : modelId
    },
    getModel: both(Model, async change => await row(change)),
    currentRevision: both(Model, async change => {
      const found = await row(change)
      return found === null ? null : revisionOf(Model, found)
    }),
    rectify: both(Model, async change => {
      await ChangeLog.of(Model).rectify(self(change).modelId)
      const found = await ChangeLog.of(Model).last(self(change).modelId)
      return found === undefined ? change : Object.assign(change as object, found)
    })
  }
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(Change.prototype, name, { value, configurable: true, writable: true, enumerable: false })
  }
}
