/**
 * What the reader of a change stream may see: what a `find` of the same caller would give, by the default scope, the
 * `access` hook (security.md, S-91) and the rules about rows and properties.
 */
import type { ModelClass } from '../interfaces/model-class.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { visibleQuery } from '../operations/access.js'
import { isRemote } from '../operations/origin.js'
import { narrowsRows } from '../operations/row-rules.js'
import { readablePart } from '../operations/rows-within.js'
import { rulesOfNow, ruleView, type RuleView } from '../operations/rule-view.js'
import type { Query, Selection } from '../query/ast.js'
import { compileCondition, type RowTest } from '../query/match.js'
import { namesAny } from '../query/named-properties.js'
import { projectRow } from '../query/select.js'
import type { Row } from '../properties/types.js'
import type { Change } from './change.js'

/** Milliseconds between two questions to hooks and rules; changes wait for the next one. */
const pause = 100

/** Milliseconds that a response holds for changes that were there when it was asked for, and are read late. */
const longest = 1_000

/**
 * Rows and properties that one reader sees of a model, from one question to the next.
 *
 * ```js
 * const view = ReaderView.of(Note, options)
 * await view?.ask(0)
 * const shown = view === undefined || view.sees(row) ? view?.shown(row) ?? row : undefined
 * ```
 */
export class ReaderView {
  #test: RowTest = () => false
  #select: Selection | undefined
  #namesHidden = false
  /** What rules leave; undefined: everything. */
  #rules: RuleView | undefined
  #hasTurned = false
  /** Changes up to this number were there when hooks and rules were asked. */
  #upTo = -1
  #askedAt = -Infinity

  /** @param asks whether there are hooks or rules, which somebody has to wait for, and not only scopes */
  private constructor (
    readonly Model: ModelClass, readonly options: OperationOptions, readonly asks: boolean
  ) {}

  /** Undefined where the reader sees everything: it is code of the application, or nothing narrows what is found. */
  static of (Model: ModelClass, options: OperationOptions): ReaderView | undefined {
    if (!isRemote(options)) return undefined
    const { hooks, definition } = Model.compiled
    const asks = (hooks.access !== undefined && options.notify !== false) || narrowsRows(Model.compiled, options)
    return asks || narrowsByScope(definition.scope) ? new ReaderView(Model, options, asks) : undefined
  }

  /**
   * Whether what is known was asked for after the change with this number. What an object of the definition says holds
   * always.
   */
  covers (sequence: number): boolean {
    if (this.#askedAt === -Infinity) return false
    if (!this.asks && typeof this.Model.compiled.definition.scope !== 'function') return true
    return sequence <= this.#upTo && Date.now() - this.#askedAt < longest
  }

  /** Milliseconds to wait before the next question. */
  get delay (): number {
    return this.asks ? Math.max(0, this.#askedAt + pause - Date.now()) : 0
  }

  /**
   * Asks anew.
   * @param sequence the last change that there is
   * @throws what the hook throws
   */
  ask (sequence: number): MaybePromise<void> {
    const askedAt = Date.now()
    return chain(rulesOfNow(this.options), options => chain(this.#askRules(options), ({ where, select }) => {
      const model = this.Model.compiled
      this.#test = compileCondition(where)
      this.#namesHidden = namesAny(where, model.hidden)
      this.#select = select === model.selectAll ? undefined : select
      this.#upTo = sequence
      this.#askedAt = askedAt
    }))
  }

  #askRules (options: OperationOptions): MaybePromise<Query> {
    const model = this.Model.compiled
    return chain(ruleView(model, options), rules => {
      if (this.#askedAt !== -Infinity && rules?.key !== this.#rules?.key) this.#hasTurned = true
      this.#rules = rules
      return visibleQuery(model, options, rules)
    })
  }

  /**
   * Whether the reader may see other rows than before, because a role, a membership or a rule has changed: once for
   * each time.
   */
  takeTurn (): boolean {
    const hasTurned = this.#hasTurned
    this.#hasTurned = false
    return hasTurned
  }

  /** Whether a change brings a row among those that rules leave to the reader. */
  isArrival (change: Change): boolean {
    return this.#rules?.rows !== undefined && change.type === 'update' && !this.cannotTell(change) &&
      change.askBefore(this.sees) === false
  }

  /** Whether the reader sees a row. */
  readonly sees: RowTest = row => this.#test(row)

  /** Whether nobody can tell if the reader saw what was there before a change. */
  cannotTell (change: Change): boolean {
    return change.isPartial && this.#namesHidden
  }

  /** The change with what the reader sees of its row. */
  show (change: Change): Change {
    const data = this.shown(change.data)
    return data === change.data ? change : change.showing(data, this.Model.compiled.stringify(data, false))
  }

  /** What the reader sees of a row: the same one where that is everything. */
  shown (row: Row): Row {
    const reads = this.#rules?.rule.reads
    const selected = this.#select === undefined ? row : projectRow(row, this.#select, this.Model.compiled)
    return readablePart(this.Model.compiled, selected, reads)
  }
}

const narrowsByScope = (scope: unknown): boolean => scope !== undefined && scope !== null
