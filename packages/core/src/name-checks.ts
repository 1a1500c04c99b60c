/**
 * Names in definitions and model scripts that only make sense once all models, relations and methods are there: types
 * of properties, methods that hooks and `disableRemoteMethodByName` are for. Asked when the application starts.
 */
import { strictnessOf, type Strictness } from './definition/vocabulary/check-definition.js'
import { InvalidDefinitionError } from './errors.js'
import { namesInFilter } from './query/names-in-filter.js'
import { writtenIndex } from './model/compile-indexes.js'
import { isTextIndex } from './model/compile-text-index.js'
import type { ModelClass } from './interfaces/model-class.js'
import type { RemoteHook } from './interfaces/model-state.js'
import { nearest, nearestName } from './nearest.js'
import { typeNames } from './properties/resolve-type.js'
import type { PropertyType } from './properties/types.js'
import { methodNamesOf } from './remoting/shared-methods.js'

/** A registry, as far as names lead into it. */
interface Named {
  readonly models: Readonly<Record<string, ModelClass>>
  readonly settings: { readonly modelDefinitions?: unknown }
  readonly remoteHooks: readonly RemoteHook[]
  findModel (name: string): ModelClass | undefined
}

/** Says what is wrong, with the fields of a line in the log. */
type Say = (fields: object, message: string) => void

/**
 * Tells names that lead nowhere. What may be meant as it stands in an open application (a method that LoopBack had) is
 * told there only where another name is near.
 * @throws FBK_CORE_INVALID_DEFINITION for a type that there is not, where definitions are strict
 */
export function checkNames (registry: Named, say: Say): void {
  const strictness = strictnessOf(registry.settings.modelDefinitions)
  const models = Object.values(registry.models)
  for (const Model of models) {
    checkTypes(Model, registry, strictness, say)
    checkMethods(Model, strictness, say)
    checkProperties(Model, strictness, say)
    checkFunctions(Model, say)
  }
  const hooks = registry.remoteHooks.filter(({ pattern }) => !pattern.includes('*'))
  if (hooks.length === 0) return
  const names = models.flatMap(Model => methodNamesOf(Model).map(name => `${Model.modelName}.${name}`))
  for (const { pattern } of hooks) {
    sayUnknown(pattern, names, strictness, meant => {
      say({ method: pattern }, `A remote hook of the application is for "${pattern}", which is no method.${meant}`)
    })
  }
}

function checkTypes (Model: ModelClass, registry: Named, strictness: Strictness, say: Say): void {
  const { own } = Model.state
  for (const { name, type } of Model.compiled.properties) {
    if (own.properties[name] === undefined) continue
    for (const each of modelsIn(type).filter(model => registry.findModel(model) === undefined)) {
      const place = `${own.source === undefined ? '' : `${own.source}: `}model "${own.name}", property "${name}"`
      const meant = nearest(each, [...typeNames, ...Object.keys(registry.models)])
      const says = `has the type "${each}", which is no type and no model.${meant}`
      if (strictness === 'strict') throw new InvalidDefinitionError(place, says)
      say({ model: own.name, property: name, type: each }, `${place}: ${says} Its values are not looked at.`)
    }
  }
}

/** Methods of the definition without a function behind them answer 500. */
function checkFunctions (Model: ModelClass, say: Say): void {
  const { own } = Model.state
  for (const [method, declared] of Object.entries(own.methods)) {
    if (declared === null || declared === false) continue
    const [name, owner] = method.startsWith('prototype.')
      ? [method.slice('prototype.'.length), Model.prototype as object]
      : [method, Model]
    if (typeof (owner as Readonly<Record<string, unknown>>)[name] === 'function') continue
    const place = `${own.source === undefined ? '' : `${own.source}: `}model "${own.name}", method "${method}"`
    say({ model: own.name, method }, `${place}: there is no function ${own.name}.${method}, so that calls fail. Write it in the model's script.`)
  }
}

/** The models that a type names, at any depth. */
function modelsIn ({ kind, model, items, members }: PropertyType): string[] {
  if (kind === 'model') return [model as string]
  return [...items === undefined ? [] : [items], ...Object.values(members ?? {})].flatMap(modelsIn)
}

/**
 * Names of properties that lead nowhere, where a definition uses them. Where rows may have more than is declared, and
 * in an open application, only a name that is near another is a mistake.
 * @throws FBK_CORE_INVALID_DEFINITION where definitions are strict (security.md, S-103)
 */
function checkProperties (Model: ModelClass, strictness: Strictness, say: Say): void {
  const { own } = Model.state
  for (const { keys, name, meant } of strayNames(Model)) {
    if (meant === undefined && (strictness === 'open' || own.settings.strict === false)) continue
    const [key, ...more] = keys
    const kind = key === 'indexes' ? 'index' : 'scope'
    const setting = more.length === 0 ? key as string : `${kind} "${more[0] as string}"`
    const place = `${own.source === undefined ? '' : `${own.source}: `}model "${own.name}", ${setting}`
    const says = `"${name}" is no property.${meant === undefined ? '' : ` Did you mean "${meant}"?`}`
    if (strictness === 'strict') throw new InvalidDefinitionError(place, says)
    say({ model: own.name, property: name }, `${place}: ${says}`)
  }
}

/** A name in a definition that is neither a property's nor a relation's. */
export interface StrayName {
  /** Where it stands: `['hidden']`, `['indexes', 'byName']`. */
  readonly keys: readonly string[]
  readonly name: string
  /** The name that is near it. */
  readonly meant: string | undefined
}

/**
 * Names in `hidden`, `protected`, scopes and indexes that are no property's: what they name is shown, conditions fit
 * nothing, and columns are left out.
 *
 * ```js
 * strayNames(User) // [{ keys: ['hidden'], name: 'secrte', meant: 'secret' }]
 * ```
 */
export function strayNames (Model: ModelClass): StrayName[] {
  const { compiled, state: { own } } = Model
  const named: Array<readonly [keys: readonly string[], names: readonly string[]]> = [
    [['hidden'], own.hidden],
    [['protected'], own.protected],
    [['scope'], [...namesInFilter(Model.definition.scope)]],
    ...Object.entries(own.scopes).map(([name, scope]) => [['scopes', name], [...namesInFilter(scope)]] as const),
    ...Object.entries(own.settings.indexes ?? {})
      .filter(([, index]) => index !== null && index !== false && !isTextIndex(index))
      .map(([name, index]) => [
        ['indexes', name], writtenIndex(Model.definition, name, index).columns.map(({ property }) => property)
      ] as const)
  ]
  const known = [...compiled.propertyByName.keys(), ...compiled.relations.keys()]
  return named.flatMap(([keys, names]) => names
    .filter(name => !known.includes(name))
    .map(name => ({ keys, name, meant: nearestName(name, known) })))
}

function checkMethods (Model: ModelClass, strictness: Strictness, say: Say): void {
  const { state, modelName } = Model
  const hooks = state.remoteHooks.filter(({ pattern }) => !pattern.includes('*'))
  if (hooks.length === 0 && state.disabledMethods.size === 0) return
  const names = lineOf(Model).flatMap(methodNamesOf)
  for (const { moment, pattern } of hooks) {
    sayUnknown(pattern, names, strictness, meant => {
      const hook = `${moment}Remote`
      say({ model: modelName, method: pattern }, `${modelName}.${hook}("${pattern}"): there is no such method.${meant}`)
    })
  }
  for (const method of state.disabledMethods) {
    sayUnknown(method, names, strictness, meant => {
      say({ model: modelName, method },
        `${modelName}.disableRemoteMethodByName("${method}"): there is no such method.${meant}`)
    })
  }
}

/** A model and those that extend it, which have its hooks. */
const lineOf = (Model: ModelClass): ModelClass[] =>
  [Model, ...[...Model.state.children].flatMap(child => lineOf(child.Model))]

function sayUnknown (
  name: string, names: readonly string[], strictness: Strictness, say: (meant: string) => void
): void {
  if (names.includes(name)) return
  const meant = nearest(name, names)
  if (meant !== '' || strictness === 'strict') say(meant)
}
