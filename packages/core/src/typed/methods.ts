/** Remote methods that a definition declares: the types of their arguments and results, and of what runs them. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { PropertyValue } from '../properties/infer.js'
import type { CallOptions } from './call-options.js'
import type { Definition } from './definitions.js'
import type { Ancestry, IsNever, Named } from './lineage.js'
import type { Instance } from './model.js'
import type { IsPlain } from './names.js'

/** What `run` of a remote method gets beside its arguments. */
export interface MethodContext {
  readonly options: CallOptions
  /** Of a call over HTTP. */
  readonly request?: FastifyRequest
  readonly reply?: FastifyReply
}

/** What a remote method takes and gives, as remote hooks see it. */
export interface RemoteCall {
  readonly args: object
  readonly result: unknown
}

type Flat<T> = { [K in keyof T]: T[K] }

/**
 * A value by the type that is written for an argument or result; models are instances.
 * @typeParam Self the definition that is being written: a circle for the compiler where its type is asked for by name
 */
type ValueOf<T, Self> =
  T extends TSchema ? Static<T>
    : T extends readonly [infer Item] ? Array<ValueOf<Item, Self>>
      : T extends string
        ? string extends T ? unknown : InstanceNamed<T, Self>
        : unknown extends T ? unknown : PropertyValue<T>
type InstanceNamed<N extends string, Self> =
  [Self] extends [{ readonly name: N } & Definition] ? IsNever<Self> extends true ? Plainly<N> : Instance<Self>
    : Plainly<N>
type Plainly<N extends string> = IsNever<Named<N>> extends true ? PropertyValue<N> : Instance<Named<N>>

type TypeOf<A, Self = never> = A extends { readonly type: infer T } ? ValueOf<T, Self> : unknown
type ArgumentValue<A, Self> =
  A extends { readonly http: 'optionsFromRequest' } ? OperationOptions
    : A extends { readonly http: ((...args: never[]) => unknown) | { readonly source: 'req' | 'res' | 'context' } }
      ? unknown
      : TypeOf<A, Self>
type NameOf<A> = A extends { readonly arg: infer N extends string } ? N : never
type Listed<A> = A extends readonly unknown[] ? A[number] : A
type ByName<A, Self> = Flat<
  { -readonly [E in A as E extends { readonly required: true } ? NameOf<E> : never]: ArgumentValue<E, Self> } &
  { -readonly [E in A as E extends { readonly required: true } ? never : NameOf<E>]?: ArgumentValue<E, Self> }
>

/** Arguments by name, of `accepts`: a TypeBox object, or LoopBack's list of arguments. */
export type ArgumentsOf<A, Self = never> =
  A extends TSchema ? Static<A>
    : ByName<Listed<A>, Self>

/** What `run` gives, of `returns`: a TypeBox schema, or LoopBack's results. Of several it is a list. */
export type ReturnedOf<R> =
  R extends TSchema ? Static<R>
    : R extends readonly [infer One] ? TypeOf<One>
      : R extends readonly unknown[] ? unknown
        : R extends object ? TypeOf<R> : unknown

/** The same with `string` for `'open'`: what a function gives is not inferred literally. */
type Widened<T> =
  T extends string ? string
    : T extends number ? number
      : T extends boolean ? boolean
        : T extends Plain ? { [K in keyof T]: Widened<T[K]> } : T
type Plain = readonly unknown[] | { readonly [name: string]: unknown }

/**
 * What `run` must give, as far as it can be asked for where it is written. An instance of a model cannot: its type is
 * that of the definition, which the function is part of. `returns` says what callers get, whatever `run` gives.
 */
export type Demanded<R> =
  R extends TSchema ? Widened<Static<R>>
    : R extends { readonly type: infer T extends string }
      ? IsPlain<T> extends true ? PropertyValue<T> : unknown
      : unknown

type ResultName<R> = R extends { readonly arg: infer N extends string } ? N : 'result'
type ByResultName<R> = { -readonly [E in R as ResultName<E>]: TypeOf<E> }
/** What hooks see as `ctx.result`, and clients as the response: the root, or an object of named results. */
export type ResultOf<R> =
  R extends TSchema ? Static<R>
    : R extends object
      ? IsNever<Extract<Listed<R>, { readonly root: true }>> extends true
        ? ByResultName<Listed<R>>
        : TypeOf<Extract<Listed<R>, { readonly root: true }>>
      : unknown

type Accepts<M> = M extends { readonly accepts: infer A } ? A : undefined
declare const GIVES: unique symbol
/** A method's `run` that was checked where it was written, and what it gives. At run time it is the function. */
export interface CheckedRun<T> { readonly [GIVES]: T }

type Runs = { readonly run: unknown }
type Ran<M> =
  M extends { readonly run: CheckedRun<infer T> } ? T
    : M extends { readonly run: (...args: never[]) => infer T } ? Awaited<T>
      : unknown
type Given<M> = M extends { readonly returns: infer R } ? R extends object ? ReturnedOf<R> : Ran<M> : Ran<M>

/** A method of a definition as code in the process calls it: arguments by name, then options of the operation. */
type Callable<M> = ArgumentsOf<Accepts<M>> extends infer Args
  ? {} extends Args
      ? (args?: Args, options?: OperationOptions) => Promise<Given<M>>
      : (args: Args, options?: OperationOptions) => Promise<Given<M>>
  : never

type MethodsOf<D extends Definition> = D extends { readonly methods: infer M } ? M : {}
type StaticRuns<M> = {
  [K in keyof M as M[K] extends Runs ? K extends `prototype.${string}` ? never : K : never]: Callable<M[K]>
}
type InstanceRuns<M> = {
  [K in keyof M as M[K] extends Runs ? K extends `prototype.${infer N}` ? N : never : never]: Callable<M[K]>
}
type Typed<D extends Definition, Key extends string> = D extends { readonly [K in Key]: infer V } ? V : unknown

type DeclaredCalls<M> = { [K in keyof M]: { args: ArgumentsOf<Accepts<M[K]>>, result: ResultOf<Returns<M[K]>> } }
type Returns<M> = M extends { readonly returns: infer R } ? R : undefined

/** What each definition of a list gives, together; the first one's names win. */
type Together<Each extends unknown[], Part extends keyof Parts<Definition>> =
  Each extends [infer D extends Definition, ...infer Rest] ? Parts<D>[Part] & Together<Rest, Part> : unknown
interface Parts<D extends Definition> {
  statics: StaticRuns<MethodsOf<D>> & Typed<D, 'statics'>
  instances: InstanceRuns<MethodsOf<D>> & Typed<D, 'instanceMethods'>
  calls: DeclaredCalls<MethodsOf<D>> & Typed<D, 'calls'>
}

/** Functions that a model class has beside those of its root: of definitions and of built-in models. */
export type OwnStatics<D extends Definition> = Together<Ancestry<D>, 'statics'>
/** The same of instances. */
export type OwnMethods<D extends Definition> = Together<Ancestry<D>, 'instances'>
/** Calls of remote methods by full name. */
export type OwnCalls<D extends Definition> = Together<Ancestry<D>, 'calls'>
