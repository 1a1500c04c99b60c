/** Where a live query has its rows from: row by row as they change, or read as a whole. */
import { liveQueryTooLarge, queryTooExpensive } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { accessQuery } from '../operations/access.js'
import { Operation } from '../operations/context.js'
import { withWork } from '../operations/cost.js'
import { withoutJoinKeys } from '../operations/join-keys.js'
import { asInternal, isRemote, remoteOptions } from '../operations/origin.js'
import { runQuery, storedRows } from '../operations/read.js'
import { readableRows } from '../operations/readable.js'
import { readablePart } from '../operations/rows-within.js'
import { rulesOfNow } from '../operations/rule-view.js'
import type { Query } from '../query/ast.js'
import { rowId } from '../query/id.js'
import { compileCondition } from '../query/match.js'
import { withSelected } from '../query/narrow.js'
import { compileOrder } from '../query/order.js'
import { projectRow } from '../query/select.js'
import type { Row } from '../properties/types.js'
import { liveRowLimit } from './limits.js'
import type { JudgedPlan, LivePlan } from './live-plan.js'
import type { LiveRow } from './row-changes.js'
import { RowWindow, type RowJudge } from './row-window.js'

/** Changed rows of a model as they are by now; undefined: gone. */
export type ChangedRows = ReadonlyMap<string, Row | undefined>

export interface LiveSource {
  /** The rows, from the store. */
  read (): Promise<readonly LiveRow[]>
  /**
   * Takes changed rows. Undefined where only the store knows what has come of it, `same` where nothing has.
   * @throws RequestError 400 for more rows than a live query may have, or too much work
   */
  take (rows: ChangedRows): readonly LiveRow[] | 'same' | undefined
  /** How many it has in memory: rows that are not shown, and what is not shown of rows, among them. */
  readonly characters: number
}

/** Units of work that judging one changed row may take. */
const workOfRow = 200_000

/** Rows that are judged one by one. Whose they are does not matter: the condition says which the caller may see. */
export class JudgedSource implements LiveSource {
  readonly #model: ModelClass
  readonly #query: Query
  readonly #window: RowWindow
  readonly #most: number
  #left = 0
  #isJudged = true

  constructor (model: CompiledModel, { query, judged }: LivePlan) {
    this.#model = model.Model
    this.#query = query
    this.#most = liveRowLimit(model)
    const page = { ...query, most: query.skip + this.#most }
    this.#window = new RowWindow(this.#judgeOf(model, query, judged?.reads), page)
  }

  get characters (): number {
    return this.#window.characters
  }

  async read (): Promise<readonly LiveRow[]> {
    const model = this.#model.compiled
    const operation = new Operation(model, withWork(model, ofNobody))
    const { where, order } = this.#query
    const rows = await storedRows(operation, {
      where, order, limit: this.#window.readLimit, skip: 0, select: model.selectAll, include: []
    })
    // Units of one row each: the budget of the read has counted the rest.
    this.#left = Infinity
    this.#isJudged = this.#window.fill(rows)
    return this.#page()
  }

  take (rows: ChangedRows): readonly LiveRow[] | 'same' | undefined {
    if (!this.#isJudged) return undefined
    let isSame = true
    for (const [key, row] of rows) {
      this.#left = workOfRow
      if (this.#window.put(key, row)) isSame = false
    }
    if (this.#window.lacksRows) return undefined
    return isSame ? 'same' : this.#page()
  }

  #page (): readonly LiveRow[] {
    const { page } = this.#window
    if (page.length > this.#most) throw liveQueryTooLarge(this.#most)
    return page
  }

  #judgeOf (model: CompiledModel, { where, order, select }: Query, reads: JudgedPlan['reads']): RowJudge {
    const meter = { spend: (units: number): void => { if ((this.#left -= units) < 0) throw queryTooExpensive('work', workOfRow) } }
    return {
      passes: compileCondition(where, meter),
      order: compileOrder(order, model),
      keyOf: row => String(rowId(model, row)),
      show: row => {
        const selected = select === model.selectAll ? row : projectRow(row, select, model)
        return model.stringify(readablePart(model, selected, reads), false)
      }
    }
  }
}

/** The framework asks, with the budget of a request, and the primary answers: a copy may not have the change yet. */
const ofNobody: OperationOptions = { ...asInternal(remoteOptions({ reads: true })), primary: true }

/** Rows that are read as `find` reads them, with the rules and hooks of the moment. */
export class ReadSource implements LiveSource {
  readonly #model: ModelClass
  readonly #filter: unknown
  readonly #options: OperationOptions
  characters = 0

  constructor (model: CompiledModel, { filter, options }: LivePlan) {
    this.#model = model.Model
    this.#filter = filter
    this.#options = { ...options, primary: true }
  }

  async read (): Promise<readonly LiveRow[]> {
    const model = this.#model.compiled
    const now = await rulesOfNow(this.#options)
    const operation = new Operation(model, isRemote(now) ? withWork(model, now) : now)
    const most = liveRowLimit(model)
    const query = await accessQuery(operation, this.#filter)
    const select = model.key.reduce((selected, { name }) => withSelected(model, selected, name), query.select)
    const read = { ...query, select, limit: query.limit ?? most + 1 }
    const rows = await runQuery(operation, read)
    if (rows.length > most) throw liveQueryTooLarge(most)
    // The ids that "fields" leaves out are not shown.
    const keys = rows.map(row => String(rowId(model, row)))
    const shown = await readableRows(model, withoutJoinKeys(rows, query, read), operation.options)
    const texts = shown.map((row, i) => ({ key: keys[i] as string, text: model.stringify(row, false) }))
    this.characters = texts.reduce((sum, { text }) => sum + text.length, 0)
    return texts
  }

  take (): undefined {
    return undefined
  }
}
