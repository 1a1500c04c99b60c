/** What clients may not set of a model's rows, from the settings of its properties (security.md, S-99). */
import type { ClientRules } from '../interfaces/client-rules.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { modelsIn } from '../properties/nested-models.js'
import { isSetBy } from '../properties/set-by-clients.js'

type Lookup = (name: string) => CompiledModel | undefined

/** Undefined where clients may set everything, in rows within rows as well, and see all of those. */
export function compileClientRules (model: CompiledModel, lookup: Lookup): ClientRules | undefined {
  const named = (which: 'readOnly' | 'writeOnce' | 'computed'): ReadonlySet<string> =>
    new Set(model.properties
      .filter(property => property !== model.version && isSetBy(property, which)).map(({ name }) => name))
  const held = heldBy(model, lookup).filter(([, inner]) => hasSome(inner, lookup))
  const [readOnly, writeOnce, computed] = [named('readOnly'), named('writeOnce'), named('computed')]
  const holdsUnseen = hidesWithin(model, lookup)
  if (readOnly.size + writeOnce.size + computed.size + held.length === 0 && !holdsUnseen) return undefined
  const said = model.settings.readOnlyProperties ?? model.Model.registry.settings.readOnlyProperties
  const nested = new Map(held.map(([name, { name: inner }]) => [name, inner]))
  return { readOnly, writeOnce, computed, nested, holdsUnseen, refuses: said !== 'ignore' }
}

/** Properties that hold rows of other models, with these. */
const heldBy = ({ properties }: CompiledModel, lookup: Lookup): Array<[string, CompiledModel]> =>
  properties.flatMap(({ name, type }): Array<[string, CompiledModel]> => {
    const held = type.model ?? type.items?.model
    const inner = held === undefined ? undefined : lookup(held)
    return inner === undefined ? [] : [[name, inner]]
  })

/** Whether rows within rows of a model hide something, at any depth. @param seen models may hold each other */
function hidesWithin (model: CompiledModel, lookup: Lookup, seen = new Set<CompiledModel>()): boolean {
  if (seen.has(model)) return false
  seen.add(model)
  return model.properties.some(({ type }) => modelsIn(type).some(name => {
    const inner = lookup(name)
    return inner !== undefined &&
      (inner.hidden.size > 0 || inner.protectedNames.size > 0 || hidesWithin(inner, lookup, seen))
  }))
}

const kinds = ['readOnly', 'writeOnce', 'computed'] as const

/** @param seen models may hold each other */
function hasSome (model: CompiledModel, lookup: Lookup, seen = new Set<CompiledModel>()): boolean {
  if (seen.has(model)) return false
  seen.add(model)
  return model.properties.some(property => kinds.some(kind => isSetBy(property, kind))) ||
    heldBy(model, lookup).some(([, inner]) => hasSome(inner, lookup, seen))
}
