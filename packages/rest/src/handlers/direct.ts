/** Operations that run without anything of the application in between: straight from arguments to finished text. */
import {
  errors,
  isInstance,
  type CompiledModel,
  type MaybePromise,
  type ModelClass,
  type OperationOptions,
  type Row,
  type SharedMethod
} from '@fastback/core'
import { chain } from '@fastback/core/connector'
import {
  comesToOwn, compiledOf, findRowById, instantiate, ownSharedCtor, persistedStatics, readableResult,
  readableRows, RELATION_METHOD, ROW_SEEN
} from '@fastback/core/remote'
import { builtinTexts, isUntouched } from './builtin.js'
import { hasOwnJSON, isReached, jsonText, listText } from './json.js'
import { resultOf } from './result.js'
import { sourceOf } from '../parse/source.js'

/**
 * JSON text, or undefined where there is nothing to say.
 * @param id of the path, for methods of a row
 * @param values the arguments in the order of `accepts`, without `options`
 */
export type DirectCall = (
  model: CompiledModel,
  id: unknown,
  values: readonly unknown[],
  options: OperationOptions
) => MaybePromise<string | undefined>

const needsContext: ReadonlySet<unknown> = new Set(['context', 'req', 'res', 'function'])

/**
 * How a method is called directly, if it can be: a built-in operation or a relation's method. Whether it may be is
 * asked for each request.
 */
export function directCall (method: SharedMethod, model: CompiledModel): DirectCall | undefined {
  const { builtin } = method
  if (builtin !== undefined) {
    const text = builtinTexts[builtin]
    return text === undefined
      ? undefined
      : (current, id, values, options) => text(current, method.isStatic ? values : [id, ...values], options)
  }
  if (method.accepts.some(argument => needsContext.has(sourceOf(argument)))) return undefined
  const related =
    method.relation === undefined
      ? undefined
      : model.relations
        .get(method.relation)
        ?.methods()
        .find(({ name }) => name === method.name)
  const text = resultText(method)
  if (related === undefined || text === undefined) return undefined
  return (current, id, values, options) => chain(findRowById(current, id, undefined, options), row => {
    if (row === undefined) throw errors.noInstance(id)
    const value = related.call(instantiate(current, row), values, options)
    const shown = options.rowRules === undefined ? value : readableFrom(value, method, options)
    return chain(shown, given => isSeen(given, method, options) ? '' : text(given))
  })
}

/** Tells of the one row of a response who wants to know. @returns whether its text need not be written */
function isSeen (value: unknown, method: SharedMethod, { [ROW_SEEN]: seen }: OperationOptions): boolean {
  if (seen === undefined || value === null || typeof value !== 'object' || Array.isArray(value)) return false
  const model = isInstance(value) ? compiledOf(value) : givenModel(method)?.compiled
  return model !== undefined && seen(model, value as Row)
}

const readableFrom = (
  value: MaybePromise<unknown>, method: SharedMethod, options: OperationOptions
): MaybePromise<unknown> => chain(value, given => readable(given, method, options))

/** What the caller may read of a result: rows that are no instances are of the model that the method says it gives. */
function readable (value: unknown, method: SharedMethod, options: OperationOptions): MaybePromise<unknown> {
  const model = givenModel(method)?.compiled
  if (options.rowRules === undefined || model === undefined || value === null || typeof value !== 'object') return value
  const list = [value].flat() as Row[]
  const rows = list.some(row => isInstance(row)) ? readableResult(list, options) : readableRows(model, list, options)
  return Array.isArray(value) ? rows : chain(rows, shown => (shown as Row[])[0])
}

/**
 * How the result of a relation's method is written: nothing, a count, a flag, or rows. These are plain rows of the
 * model that the method says it returns, or instances, which know their model; it must be that model which writes them,
 * because it knows what is hidden, and what it protects.
 */
function resultText (method: SharedMethod): ((value: unknown) => MaybePromise<string | undefined>) | undefined {
  const [definition] = method.returns
  if (definition === undefined) return () => undefined
  if (definition.root !== true || definition.type === 'boolean') {
    return value => jsonText(resultOf(method, [value], { status: undefined, headers: [] }))
  }
  const Model = givenModel(method)
  if (Model === undefined) return undefined
  const reached = isReached(method)
  const rowText = (row: Row): string => {
    if (isInstance(row)) return compiledOf(row).stringify(row, reached)
    // A relation to rows of several models names their common base, which does not know what each of them hides.
    if (Model.modelName === 'PersistedModel') {
      throw new TypeError(`${method.modelName}.${method.fullName} gave a row without its model.`)
    }
    return Model.compiled.stringify(row, reached)
  }
  return value => {
    if (value === undefined) return undefined
    if (value === null) return 'null'
    return Array.isArray(value) ? listText(value as Row[], rowText) : rowText(value as Row)
  }
}

/**
 * Whether the functions behind a method are those that came with it: they are replaced by plain assignment, which
 * nobody announces.
 */
export function hasOwnFunctions (method: SharedMethod): boolean {
  const { builtin, model, name } = method
  if (builtin !== undefined) return !isUntouched(model, builtin)
  const fn = model.prototype[name] as { [RELATION_METHOD]?: true } | undefined
  return (
    fn?.[RELATION_METHOD] !== true || model.findById !== persistedStatics.findById || comesToOwn(model, 'findById') ||
    ownSharedCtor(model) !== undefined || givesOwnJSON(method)
  )
}

/**
 * The model whose rows a method says that it gives.
 *
 * ```js
 * givenModel(method)?.modelName // 'Note'
 * ```
 */
export function givenModel ({ returns: [definition], model }: SharedMethod): ModelClass | undefined {
  const name = Array.isArray(definition?.type) ? definition.type[0] : definition?.type
  return typeof name === 'string' ? model.registry.models[name] : undefined
}

function givesOwnJSON (method: SharedMethod): boolean {
  const Model = givenModel(method)
  return Model !== undefined && hasOwnJSON(Model)
}
