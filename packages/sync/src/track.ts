/** Makes a model one that can be replicated. */
import type { ModelClass } from '@fastback/core'
import { isPersisted } from '@fastback/core/connector'
import { setWriteLayer } from '@fastback/core/remote'
import { ChangeLog } from './change-log.js'
import { attachChangeModel } from './change-model.js'
import { NoSingleIdError, SealedPropertiesError } from './errors.js'
import { startCleanup } from './cleanup.js'
import { addRoutes } from './remote-methods.js'
import { SyncRecords } from './records.js'
import { addSeveral } from './several.js'
import { isSynced } from './sync-settings.js'
import { trackingLayer } from './tracking-layer.js'
import { addWire } from './wire-methods.js'

/**
 * Whether a model asks for it: `trackChanges`, or `enableRemoteReplication` alone, which keeps no changes of its own
 * (SY-02).
 */
export const isReplicated = ({ settings }: ModelClass): boolean =>
  settings.trackChanges === true || settings.enableRemoteReplication === true

/**
 * Gives a model that has a data source its change list and its routes; with `writes` every write is told.
 * @throws FBK_SYNC_NO_SINGLE_ID, FBK_SYNC_SEALED_PROPERTIES
 */
export function track (Model: ModelClass, writes: boolean): void {
  if (Model.dataSource === null || !isPersisted(Model)) return
  if (idsOf(Model).length > 1) throw new NoSingleIdError(Model.modelName)
  mustBePlain(Model)
  ChangeLog.open(Model, attachChangeModel)
  addRoutes(Model)
  if (!writes) return
  setWriteLayer(Model, 'tracking', trackingLayer)
  if (isSynced(Model)) {
    // Its table is made with that of the model.
    SyncRecords.of(Model.dataSource)
    addWire(Model)
    addSeveral(Model)
  }
  startCleanup(Model)
  Model.registry.on('closing', () => { tellOfId(Model) })
}

function mustBePlain ({ modelName, definition: { properties } }: ModelClass): void {
  const sealed = Object.entries(properties as Readonly<Record<string, { sealed?: unknown } | null>>)
    .find(([, definition]) => Boolean(definition?.sealed))
  if (sealed !== undefined) throw new SealedPropertiesError(modelName, sealed[0])
}

/** Those that the definition declares; without one there is the one that every row has. */
const idsOf = (Model: ModelClass): unknown[] =>
  Object.values(Model.definition.properties as Readonly<Record<string, { id?: unknown }>>)
    .filter(({ id }) => Boolean(id))

const kTold = Symbol('fastback.sync.ids')

/** Ids that a client chooses are never those of another one (SY-04). */
function tellOfId (Model: ModelClass): void {
  const { registry, modelName } = Model
  const told = registry.slot(kTold, () => new Set<string>())
  const definition = idsOf(Model)[0] as { defaultFn?: unknown } | undefined
  if (told.has(modelName) || ['guid', 'uuid'].includes(String(definition?.defaultFn))) return
  told.add(modelName)
  registry.log.warn(
    { model: modelName },
    `The model "${modelName}" tracks changes, and its id is no string with "defaultFn": "guid" or "uuid": clients cannot make rows of their own offline`
  )
}
