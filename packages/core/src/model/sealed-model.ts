/** A model's sealed properties, with the keys of its data source or of the application. */
import type { Connector } from '../data-source/connector.js'
import type { CompiledProperty, StoredModel } from '../definition/stored-model.js'
import { locationOf } from '../definition/location.js'
import { InvalidDefinitionError, SealingKeysError } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { ModelState } from '../interfaces/model-state.js'
import { sealedLayer } from '../operations/sealed-layer.js'
import { KeyRing, type SealingSettings } from '../sealing/key-ring.js'
import { SealedRows } from '../sealing/sealed-rows.js'
import { warnOnce } from '../warn-once.js'

/** What seals a model. */
export interface SealedModel {
  /** Stands before the store. */
  readonly layer: (connector: Connector) => Connector
  /** How its rows are sealed; made on first use. */
  readonly rows: () => SealedRows
  /** The model as its store knows it. */
  readonly stored: () => StoredModel
}

const kRings = Symbol('fastback.keyRings')

/**
 * How a model is sealed; undefined for one without sealed properties, and for one that is in no store.
 * @throws FBK_CORE_SEALING_KEYS where there are no keys, FBK_CORE_INVALID_DEFINITION for a model that cannot be sealed
 */
export function sealedModelOf (
  state: ModelState, properties: readonly CompiledProperty[], compiled: () => CompiledModel
): SealedModel | undefined {
  const sealed = properties.filter(property => property.sealed !== undefined)
  const { definition, dataSource, Model: { registry } } = state
  const [first] = sealed
  if (first === undefined || dataSource === undefined) return undefined
  const refuse = (why: string): never => {
    throw new InvalidDefinitionError(locationOf(definition, `properties.${first.name}`), why)
  }
  if (!properties.some(({ idPosition }) => idPosition > 0)) {
    refuse('is sealed, and the model has no id: values are bound to the id of their row')
  }
  if (state.chain().some(({ own }) => own.name === 'KeyValueModel')) {
    refuse('is sealed, and the model keeps values by key, which are not sealed')
  }
  const ring = ringOf(registry, dataSource.settings.sealing ?? registry.settings.sealing)
  if (!ring.canSearch && sealed.some(property => property.sealed === 'searchable')) {
    throw new SealingKeysError(
      `"${definition.name}.${first.name}" is searchable, and there is no "searchKey" (or the environment variable FASTBACK_SEALING_SEARCH_KEY)`
    )
  }
  if (ring.acceptPlain) {
    warnOnce(registry, { model: definition.name }, 'sealing.acceptPlain: values that are not sealed are read; run "fastback rekey", and take the setting away')
  }
  let rows: SealedRows | undefined
  const rowsOf = (): SealedRows => (rows ??= new SealedRows(compiled(), ring))
  return {
    layer: connector => sealedLayer(connector, rowsOf(), compiled),
    rows: rowsOf,
    stored: () => rowsOf().stored
  }
}

/**
 * Whether rows of a data source can be sealed: the application or the data source has keys. What holds values of other
 * rows (responses that are kept, histories) seals them then.
 *
 * ```js
 * const body = { type: 'string', sealed: sealingIsSet(registry, dataSource) }
 * ```
 */
export const sealingIsSet = (
  registry: ModelRegistry, dataSource: { readonly settings: { readonly [key: string]: unknown } } | undefined
): boolean => (dataSource?.settings.sealing ?? registry.settings.sealing) !== undefined ||
  Boolean(process.env.FASTBACK_SEALING_KEYS)

/** One ring for the same settings: what was fetched and derived is kept. */
function ringOf (registry: ModelRegistry, settings: unknown): KeyRing {
  const rings = registry.slot<Map<unknown, KeyRing>>(kRings, () => new Map())
  const known = rings.get(settings)
  if (known !== undefined) return known
  if (settings !== undefined && (settings === null || typeof settings !== 'object' || Array.isArray(settings))) {
    throw new SealingKeysError('it must be an object with "keys" and "current"')
  }
  const ring = new KeyRing((settings ?? {}) as SealingSettings, process.env)
  rings.set(settings, ring)
  return ring
}
