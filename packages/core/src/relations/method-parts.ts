/**
 * The parts that methods of relations are made of: arguments, results, and what becomes of a result that is nothing.
 */
import type { MaybePromise } from '../maybe-promise.js'
import { chain } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type {
  ArgumentDefinition,
  HttpRoute,
  RestHook,
  ReturnDefinition
} from '../interfaces/shared-method.js'
import { optionsArgument } from '../contracts/shared-arguments.js'
import type { RelationBase } from './base.js'
import type { ListedMethodOptions, RelationMethod } from '../interfaces/relation.js'

export const refresh: ArgumentDefinition = { arg: 'refresh', type: 'boolean', http: { source: 'query' } }
/** In-process calls of `__delete__orders` take a condition; a request has none. */
export const noCondition: ArgumentDefinition = {
  arg: 'where',
  type: 'object',
  http: () => undefined,
  documented: false
}

/** The id of a related row in the path. */
export const relatedId = (arg: string, relation: RelationBase): ArgumentDefinition => ({
  arg,
  type: 'any',
  description: `Foreign key for ${relation.name}`,
  required: true,
  http: { source: 'path' },
  modelId: true,
  model: relation.Target.modelName
})

export const filterOf = (model: string): ArgumentDefinition => ({
  arg: 'filter',
  type: 'object',
  model,
  modelFilter: 'filter'
})
export const whereOf = (model: string): ArgumentDefinition =>
  ({ arg: 'where', type: 'object', description: 'Criteria to match model instances', model, modelFilter: 'where' })

/**
 * Data of a related row in the body.
 * @param keys properties that the relation sets: they are not required of the body
 */
export function dataOf (model: string, variant: 'create' | 'patch', keys: readonly string[] = []): ArgumentDefinition {
  const modelSchema = { model, variant, ...(keys.length === 0 ? {} : { optional: keys }) }
  return { arg: 'data', type: 'object', model, http: { source: 'body' }, modelSchema }
}

export const one = (arg: string, model: string): ReturnDefinition => ({ arg, type: model, root: true })

export interface Shape {
  /** `get` in `__get__orders`. */
  readonly prefix: string
  readonly verb: 'get' | 'post' | 'put' | 'delete' | 'head'
  /** Behind the relation's own path. */
  readonly path?: string
  readonly description: string
  readonly accepts?: ArgumentDefinition[]
  readonly returns?: ReturnDefinition
  readonly after?: RestHook
}

export type Call = (owner: ModelInstance, args: readonly unknown[], options: OperationOptions) => MaybePromise<unknown>

export function method (relation: RelationBase, shape: Shape, call: Call): RelationMethod {
  const http: HttpRoute = { verb: shape.verb, path: `/${relation.path}${shape.path ?? ''}` }
  const options: ListedMethodOptions = {
    accepts: [...shape.accepts ?? [], optionsArgument],
    returns: shape.returns === undefined ? [] : [shape.returns],
    http: [http],
    accessType: shape.verb === 'get' || shape.verb === 'head' ? 'READ' : 'WRITE',
    description: shape.description,
    ...(shape.after === undefined ? {} : { rest: { after: shape.after } })
  }
  return { name: `__${shape.prefix}__${relation.name}`, options, call }
}

/** Passes on what was found, and makes an error of what was not. */
export const orElse = (missing: unknown, found: MaybePromise<unknown>, error: () => Error): MaybePromise<unknown> =>
  chain(found, value => {
    if (value === missing) throw error()
    return value
  })

/** The response of a method that returns nothing. */
export const nothing = (done: MaybePromise<unknown>): MaybePromise<undefined> => chain(done, () => undefined)

interface AfterContext { result: unknown, args?: Record<string, unknown> }

/** `rest.after`: makes an error of a result that means "not found". */
export function whenResultIs (missing: unknown, error: (args: Record<string, unknown>) => Error): RestHook {
  return (context: AfterContext, next) => context.result === missing ? next(error(context.args ?? {})) : next()
}
