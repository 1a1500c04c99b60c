/**
 * Who may call a method, for pages that show an application to those who make it, or to those who work with its rows.
 * Kept with the registry: who
 * guards the methods and who shows them need not know each other.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ModelClass } from '../interfaces/model-class.js'
import type { RowRule } from '../interfaces/row-rules.js'
import type { SharedMethod } from '../interfaces/shared-method.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { ModelRegistry } from '../registry.js'
import type { RuledModels } from '../typed/model.js'
import type { Acting } from '../typed/ruled.js'

/** One caller, one model, at one moment. */
export interface RowReader {
  /** What hooks look at; null for somebody who is not logged in. */
  readonly token: unknown
  /**
   * What the rules of `findById` leave the caller of a row: undefined all of it, null nothing. Whether the row is one
   * of the rule's `rows` is for the caller of this to test.
   */
  ruleFor (row: Readonly<Row>): MaybePromise<RowRule | null | undefined>
}

interface Kept {
  /** Undefined where nobody guards the methods: then everyone may call them. */
  callersOf: ((method: SharedMethod) => Promise<string>) | undefined
  /**
   * Which rows and properties the declared rules of a method leave, in few words (`own rows`); undefined where they say
   * nothing of them.
   */
  rowsOf: ((method: SharedMethod) => string | undefined) | undefined
  /**
   * Whether the caller of a request may call a method, as far as that can be said without its arguments. Undefined
   * where nobody guards the methods: then everyone may call them.
   */
  mayCall: ((method: SharedMethod, request: FastifyRequest, reply: FastifyReply) => Promise<boolean>) | undefined
  /**
   * Whether the caller of a request to a method is in a role. Undefined where nobody guards the methods: then nobody is
   * known to be.
   */
  isInRole: (
    (role: string, method: SharedMethod, request: FastifyRequest, reply: FastifyReply) => Promise<boolean>
  ) | undefined
  /** Whether a rule may let anybody call a method. Undefined where nobody guards the methods: then everyone may. */
  mayBeCalled: ((method: SharedMethod) => Promise<boolean>) | undefined
  /** `registry.as`. Undefined where nobody knows rules. */
  as: ((caller: Acting) => RuledModels) | undefined
  /** Whether rules leave some callers a part of a model's rows, or of their properties. */
  narrows: ((Model: ModelClass) => boolean) | undefined
  /**
   * What a caller may read of a model's rows now, without a request. Undefined where nobody guards the methods: then
   * everyone may read all of them.
   */
  readerFor: ((caller: Acting, Model: ModelClass) => Promise<RowReader>) | undefined
  /** The properties of a model that rules about its rows name: what has to be known of a row that is gone. */
  ruledProperties: ((Model: ModelClass) => readonly string[]) | undefined
}

const kReview = Symbol('fastback.accessReview')

/**
 * What a registry knows of who may call its methods.
 *
 * ```js
 * const callers = await accessReviewIn(app.registry).callersOf?.(method) // 'owner, admin'
 * ```
 */
export const accessReviewIn = (registry: Pick<ModelRegistry, 'slot'>): Kept =>
  registry.slot<Kept>(kReview, () => ({
    callersOf: undefined, mayCall: undefined, mayBeCalled: undefined, isInRole: undefined, as: undefined,
    narrows: undefined, ruledProperties: undefined, rowsOf: undefined, readerFor: undefined
  }))
