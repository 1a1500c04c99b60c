import type { TSchema } from '@sinclair/typebox'
import type { ModelDefinitionInput } from '../definition/definition.js'
import type { CheckedDefinition } from './checked-definition.js'
import type { ArgumentsOf, CheckedRun, Demanded, MethodContext } from './methods.js'
import type { Instance, Model } from './model.js'

type MaybePromise<T> = T | Promise<T>
type At<T, K> = K extends keyof T ? T[K] : undefined

type Callable = ((...args: never[]) => unknown) | (abstract new (...args: never[]) => unknown)
type Plain<T> = T extends TSchema | Callable ? T : { [K in keyof T]: T[K] }
/**
 * The same type, no longer that of a literal: while one is inferred, TypeScript looks for surplus names in it wherever
 * it is compared.
 */
type Settled<T> = T extends TSchema | Callable ? T : { [K in keyof T]: Plain<T[K]> }

/** The definition as far as it is known where the functions of its methods are written. */
export type Draft<N, B, P, Relations, S, Accepts, Returns> = {
  readonly name: N extends string ? N : string
  readonly base: B extends string | object ? B : 'PersistedModel'
  readonly properties: P extends object ? Settled<P> : {}
  readonly relations: Relations extends object ? Settled<Relations> : {}
  readonly strict: S
  readonly methods: {
    readonly [K in keyof Accepts]: {
      readonly accepts: Settled<Accepts[K]>
      readonly returns: Settled<At<Returns, K>>
      readonly run: () => unknown
    }
  }
}

type Self<K, D> = D extends ModelDefinitionInput ? K extends `prototype.${string}` ? Instance<D> : Model<D> : never

type Methods<Draft, Accepts, Returns> = {
  readonly [K in keyof Accepts]: {
    /** A TypeBox object, or LoopBack's list of arguments. */
    readonly accepts?: Accepts[K]
    /**
     * What the method does: its arguments by name, then the call's options. `this` is the model class, or for
     * `prototype.` the instance.
     */
    readonly run?: CheckedRun<unknown> | ((
      this: Self<K, Draft>, args: ArgumentsOf<Settled<Accepts[K]>, Draft>, context: MethodContext
    ) => MaybePromise<NoInfer<Demanded<At<Returns, K>>>>)
  }
} & {
  readonly [K in keyof Returns]: {
    /** A TypeBox schema, or LoopBack's results. */
    readonly returns?: Returns[K]
  }
}

/**
 * A definition, with the types of `run` in its methods worked out from what stands beside it. All type parameters are
 * inferred.
 */
export type WrittenDefinition<D, N, B, P, Relations, S, Accepts, Returns> = D & NoInfer<CheckedDefinition<D>> & {
  readonly name: N
  readonly base?: B
  readonly properties?: P
  readonly relations?: Relations
  readonly strict?: S
  readonly methods?: string extends N
    ? unknown
    : Methods<Draft<N, B, P, Relations, S, Accepts, Returns>, Accepts, Returns> | readonly unknown[]
}

type Checked<M> = {
  [K in keyof M]: K extends 'run' ? CheckedRun<M extends { readonly returns: object } ? unknown : Gives<M[K]>> : M[K]
}
type Gives<Run> = Run extends (...args: never[]) => infer T ? Awaited<T> : unknown

/** A definition that was checked: of its functions there is left what they give, where `returns` does not say it. */
export type Defined<D> = D extends { readonly methods: object }
  ? { [K in keyof D]: K extends 'methods' ? { readonly [Name in keyof D[K]]: Checked<D[K][Name]> } : D[K] }
  : D

/**
 * Keeps a definition with its names as literal types, so that filters, includes, methods and results are inferred from
 * it.
 *
 * ```ts
 * const Note = defineModel({
 *   name: 'Note',
 *   properties: Type.Object({ title: Type.String({ minLength: 1 }), done: Type.Optional(Type.Boolean()) }),
 *   relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } },
 *   methods: {
 *     open: {
 *       accepts: Type.Object({ owner: Type.Number() }),
 *       returns: Type.Object({ count: Type.Number() }),
 *       http: { verb: 'get' },
 *       async run ({ owner }, { options }) {
 *         return { count: await this.count({ ownerId: owner, done: { neq: true } }, options) }
 *       }
 *     }
 *   }
 * })
 * const Notes = registry.defineModel(Note)          // Model<typeof Note>
 * await Notes.find({ where: { title: { like: '%milk%' } } })
 * await Notes.open({ owner: 1 })                    // { count: number }
 * ```
 */
export function defineModel<
  const D extends { readonly name: string },
  const N,
  const B,
  const P,
  const Relations,
  const S,
  const Accepts,
  const Returns
> (definition: WrittenDefinition<D, N, B, P, Relations, S, Accepts, Returns>): Defined<D>
export function defineModel (definition: ModelDefinitionInput): ModelDefinitionInput {
  return definition
}
