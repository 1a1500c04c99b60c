/**
 * Rows of other models that stand within a row (embedded rows, `{ type: 'Address' }`), by the rules of their own
 * models: what these do not let a caller read is not read by way of the row around, nor asked about (security.md,
 * S-110, S-143).
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { PropertyTest } from '../interfaces/row-rules.js'
import { modelsIn } from '../properties/nested-models.js'
import type { PropertyType, Row } from '../properties/types.js'
import type { PropertyPath } from '../query/ast.js'
import { isIndex } from '../query/path.js'
import { whileModelsStay } from '../while-models-stay.js'

const kWithin = Symbol('fastback.modelsWithin')
const none: readonly CompiledModel[] = []

/**
 * The models whose rows stand within rows of a model, at any depth.
 *
 * ```js
 * modelsWithin(Customer.compiled).map(({ name }) => name) // ['Address']
 * ```
 */
export function modelsWithin (model: CompiledModel): readonly CompiledModel[] {
  const { registry } = model.Model
  const all = whileModelsStay(registry, kWithin, () => new Map<string, readonly CompiledModel[]>())
  const known = all.get(model.name)
  if (known !== undefined) return known
  const found = new Map<string, CompiledModel>()
  const add = ({ properties }: CompiledModel): void => {
    for (const name of properties.flatMap(({ type }) => modelsIn(type))) {
      const inner = compiledNamed(registry, name)
      if (inner === undefined || found.has(name)) continue
      found.set(name, inner)
      add(inner)
    }
  }
  add(model)
  const models = found.size === 0 ? none : [...found.values()]
  all.set(model.name, models)
  return models
}

const compiledNamed = (registry: ModelRegistry, name: string): CompiledModel | undefined =>
  registry.findModel(name)?.compiled

/**
 * What a caller may read of a row, as a plain object; the row itself where that is all of it.
 *
 * ```js
 * readablePart(Customer.compiled, row, rule?.reads)
 * ```
 * @param reads undefined: everything
 */
export function readablePart (model: CompiledModel, row: Row, reads: PropertyTest | undefined): Row {
  if (reads === undefined) return row
  const part: Row = {}
  for (const name of Object.keys(row)) if (reads(name)) part[name] = readableValue(model, name, row[name], reads)
  return part
}

/**
 * What a caller may read of the value of a property that they may read.
 *
 * ```js
 * readableValue(Customer.compiled, 'address', row.address, rule.reads)
 * ```
 */
export function readableValue (model: CompiledModel, name: string, value: unknown, { within }: PropertyTest): unknown {
  const type = model.propertyByName.get(name)?.type
  return within === undefined || type === undefined ? value : partOf(model.Model.registry, type, value, within)
}

type Within = NonNullable<PropertyTest['within']>

function partOf (registry: ModelRegistry, type: PropertyType, value: unknown, within: Within): unknown {
  if (value === null || typeof value !== 'object' || modelsIn(type).length === 0) return value
  if (Array.isArray(value)) {
    const items = type.kind === 'array' ? type.items : type
    return items === undefined ? value : Array.from(value, item => partOf(registry, items, item, within))
  }
  if (type.kind === 'array') return type.items === undefined ? value : partOf(registry, type.items, value, within)
  const row = value as Row
  const reads = type.kind === 'model' ? within(type.model as string) : undefined
  const part: Row = {}
  for (const name of Object.keys(row)) {
    if (reads?.(name) === false) continue
    const member = memberType(registry, type, name)
    part[name] = member === undefined ? row[name] : partOf(registry, member, row[name], within)
  }
  return part
}

function memberType (registry: ModelRegistry, type: PropertyType, name: string): PropertyType | undefined {
  if (type.kind === 'model') return compiledNamed(registry, type.model as string)?.propertyByName.get(name)?.type
  return type.members !== undefined && Object.hasOwn(type.members, name) ? type.members[name] : undefined
}

/**
 * Whether a caller may ask about what stands at a path, within a property that they may read.
 *
 * ```js
 * mayReadPath(Customer.compiled, path, rule.reads, (model, reads, name) => reads(name))
 * ```
 * @param mayName whether they may name a property of the model within
 * @param isWhole whether the value at the end counts, and not only that there is one
 */
export function mayReadPath (
  model: CompiledModel, { property, path }: Pick<PropertyPath, 'property' | 'path'>, { within }: PropertyTest,
  mayName: (model: CompiledModel, reads: PropertyTest, name: string) => boolean, isWhole = true
): boolean {
  if (within === undefined) return true
  const { registry } = model.Model
  let type = model.propertyByName.get(property)?.type
  for (const part of path) {
    while (type?.kind === 'array' && !isIndex(part)) type = type.items
    if (type === undefined) return true
    if (isIndex(part)) type = type.kind === 'array' ? type.items : type
    else if (type.kind === 'model') {
      const name = type.model as string
      const [inner, reads] = [compiledNamed(registry, name), within(name)]
      if (inner !== undefined && reads !== undefined && !mayName(inner, reads, part)) return false
      type = memberType(registry, type, part)
    } else type = memberType(registry, type, part)
  }
  return !isWhole || type === undefined || !holdsSecrets(registry, type, within)
}

/** Whether values of a type have something within that may not be read. */
function holdsSecrets (registry: ModelRegistry, type: PropertyType, within: Within): boolean {
  return modelsIn(type).some(name => {
    const inner = compiledNamed(registry, name)
    return inner !== undefined &&
      [inner, ...modelsWithin(inner)].some(each => within(each.name) !== undefined)
  })
}
