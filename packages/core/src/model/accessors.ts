/**
 * Getters and setters of properties, as LoopBack code declares them: `Note.setter.title = function (value) { … }`.
 * Models without any, which is nearly all, have plain data properties and pay nothing for this.
 */
import type { CompiledModel, RowAccessors } from '../interfaces/compiled-model.js'
import { assignPlainly, instantiate, isInstance } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { Row } from '../properties/types.js'

export type Getter = (this: any) => unknown
export type Setter = (this: any, value: any) => void

/** Functions by property; those of the base model are inherited. */
export type AccessorTable<F> = Record<string, F>

/**
 * A table that says when it is changed, so that the model is compiled anew.
 *
 * ```js
 * const setters = accessorTable(undefined, () => { state.invalidate() })
 * setters.title = function (value) { this.$title = value.trim() }
 * ```
 */
export function accessorTable<F> (base: AccessorTable<F> | undefined, changed: () => void): AccessorTable<F> {
  return new Proxy(Object.create(base ?? null) as AccessorTable<F>, {
    set (table, name, value) {
      // Not by assignment, which would end in the table of the base.
      Object.defineProperty(table, name, { value: value as F, writable: true, enumerable: true, configurable: true })
      changed()
      return true
    },
    deleteProperty (table, name) {
      const isDeleted = Reflect.deleteProperty(table, name)
      changed()
      return isDeleted
    }
  })
}

interface Accessor { readonly name: string, readonly get: Getter | undefined, readonly set: Setter | undefined }

/**
 * Adds what getters and setters need to a compiled model; nothing where it has none. A setter keeps the value as
 * `this.$name`. As in LoopBack it may see a value that has been through it: it has to know its own.
 */
export function compileAccessors (
  model: CompiledModel, getters: AccessorTable<Getter>, setters: AccessorTable<Setter>
): Partial<CompiledModel> {
  const accessors = accessorsOf(model, getters, setters)
  if (accessors.length === 0) return {}
  const { coerce, stringify, toPlain } = model
  const shown = (row: Row): Row => isInstance(row) ? row : instantiate(model, row) as Row
  const readable = accessors.some(({ get }) => get !== undefined)
    ? {
        stringify: (row: Row, included: boolean) => stringify(shown(row), included),
        toPlain: (row: Row, options: { hidden: boolean, included: boolean }) => toPlain(shown(row), options)
      }
    : {}
  return {
    ...readable,
    accessors: { assign: assigner(model, accessors), kept, coerceStored: coerce },
    coerce: throughSetters(model, accessors)
  }
}

const accessorsOf = (
  { properties }: CompiledModel, getters: AccessorTable<Getter>, setters: AccessorTable<Setter>
): Accessor[] => properties
  .map(({ name }) => ({ name, get: getters[name], set: setters[name] }))
  .filter(({ get, set }) => typeof get === 'function' || typeof set === 'function')

/** Values that are given go through the setters once; those of instances have. */
function throughSetters (model: CompiledModel, accessors: readonly Accessor[]): CompiledModel['coerce'] {
  const { coerce } = model
  const known = new WeakSet<object>()
  return (data, onViolation, levels) => {
    const row = coerce(data, onViolation, levels)
    if (isInstance(data) || known.has(data)) return row
    const given = accessors.filter(({ name, set }) => set !== undefined && row[name] !== undefined)
    const values = given.map(({ name }) => row[name])
    for (const { name } of given) delete row[name]
    const self = instantiate(model, row) as Row
    given.forEach(({ name, set }, i) => { if (self[`$${name}`] === undefined) set?.call(self, values[i]) })
    const result = written(self, accessors)
    known.add(result)
    return result
  }
}

/** What an instance holds, not what its getters show. */
function written (self: Row, accessors: readonly Accessor[]): Row {
  const special = new Set(accessors.map(({ name }) => name))
  return Object.fromEntries(Object.keys(self)
    .map(name => [name, self[special.has(name) ? `$${name}` : name]] as const)
    .filter(([name, value]) => value !== undefined || !special.has(name)))
}

/** `instance.__data`, which setters may write to as well as to `this.$name`. */
function kept (instance: object): Row {
  const nameIn = (target: object, name: string | symbol): string | symbol =>
    Object.hasOwn(target, `$${String(name)}`) ? `$${String(name)}` : name
  return new Proxy(instance, {
    get: (target, name) => Reflect.get(target, nameIn(target, name), target) as unknown,
    set: (target, name, value) => Reflect.set(target, nameIn(target, name), value, target)
  }) as Row
}

/** Puts a row on an instance, whose properties with accessors become such. */
const assigner = (model: CompiledModel, accessors: readonly Accessor[]): RowAccessors['assign'] => (instance, row) => {
  // What include has loaded stands under a symbol, which may not be enumerable.
  const others = Object.defineProperties({}, Object.getOwnPropertyDescriptors(row)) as Row
  for (const { name } of accessors) delete others[name]
  assignPlainly(instance, others, model)
  for (const accessor of accessors) {
    if (!Object.hasOwn(instance, `$${accessor.name}`)) defineAccessor(instance, accessor)
    if (Object.hasOwn(row, accessor.name)) instance[`$${accessor.name}`] = row[accessor.name]
  }
  return instance
}

function defineAccessor (instance: ModelInstance, { name, get, set }: Accessor): void {
  let held: unknown
  const hold = (value: unknown): void => { held = value }
  Object.defineProperty(instance, `$${name}`, { get: () => held, set: hold, enumerable: false, configurable: true })
  Object.defineProperty(instance, name, {
    get: get === undefined ? () => held : () => get.call(instance),
    set: set === undefined ? hold : (value: unknown) => { set.call(instance, value) },
    enumerable: true,
    configurable: true
  })
}
