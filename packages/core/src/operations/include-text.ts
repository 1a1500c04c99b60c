/**
 * Include as text: parents and children are written by the store as JSON, and the children's text is put into the
 * parents' text. No row object is made on the way. Only where `text-joins.ts` finds a way for each relation; everything
 * else takes the way of rows.
 */
import type { RowsIncluding, RowTexts, TextSupport } from '../data-source/text-support.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import type { Condition, ConditionValue, Query } from '../query/ast.js'
import { propertyPath } from '../query/path.js'
import { inSlices } from '../query/slices.js'
import { fewRows, WORK, type Work } from '../query/work.js'
import { bounded } from './read.js'
import type { Operation } from './context.js'
import { findAtOnce } from './include-at-once.js'
import { readOptions } from './freshness.js'
import { childrenQuery, textJoins, type TextJoin } from './text-joins.js'

/** The text of a query with includes, or undefined (now or later) when one of its includes needs rows. */
export function includeText (operation: Operation, query: Query): MaybePromise<string | undefined> {
  const joins = textJoins(query, operation)
  const { storeText } = operation.model
  if (joins === undefined || storeText === undefined) return undefined
  return chain(findAtOnce(operation, query, joins), (found): MaybePromise<string | undefined> => {
    if (found !== undefined) return textOf(found, joins, operation)
    return joins.some(({ scope }) => scope !== undefined) ? undefined : inSteps(operation, query, joins, storeText)
  })
}

function textOf (
  { texts, belonging }: RowsIncluding, joins: readonly TextJoin[], { options }: Operation
): MaybePromise<string> {
  const answer = new Answer(texts, options[WORK])
  const steps = eachInSequence(joins, (join, at) => answer.include(join, i => belonging[i]?.[at]))
  return chain(steps, () => answer.text)
}

/** One query for the parents, and one for each relation. */
function inSteps (
  operation: Operation, query: Query, joins: readonly TextJoin[], text: TextSupport
): MaybePromise<string> {
  const { model, options } = operation
  const parentKeys = [...new Set(joins.map(join => join.parentKey))]
  return chain(text.findKeyed(model, query, parentKeys, readOptions(model, options)), ({ texts, keys }) => {
    const answer = new Answer(texts, options[WORK])
    const step = (join: TextJoin): MaybePromise<void> => {
      const own = parentKeys.indexOf(join.parentKey)
      const values = keys.map(all => all[own] as ConditionValue)
      return chain(children(join, values, operation), byKey => answer.include(join, i => {
        const value = values[i]
        const list = value === undefined || value === null ? undefined : byKey.get(value)
        return list && rowTexts(list, join)
      }))
    }
    return chain(eachInSequence(joins, step), () => answer.text)
  })
}

const rowTexts = (list: readonly string[], { multiple }: TextJoin): RowTexts =>
  multiple ? { text: list.join(','), rows: list.length } : { text: list[0] as string, rows: 1 }

/** The texts of the parents, which get those of their children: each is taken apart once, at the end. */
class Answer {
  readonly #texts: string[]
  readonly #members: string[]
  readonly #work: Work | undefined
  #rows: number

  constructor (texts: string[], work: Work | undefined) {
    this.#texts = texts
    this.#members = new Array<string>(texts.length).fill('')
    this.#work = work
    this.#rows = texts.length
  }

  /** @param childrenOf what belongs to a parent, by its position */
  include (join: TextJoin, childrenOf: (i: number) => RowTexts | undefined): MaybePromise<void> {
    const { name, multiple } = join
    return inSlices(this.#texts.length, i => {
      const found = childrenOf(i)
      if (found === undefined && !multiple) return
      if (this.#work !== undefined) this.#count(join, found, this.#work)
      this.#members[i] += multiple ? `,${name}:[${found?.text ?? ''}]` : `,${name}:${found?.text}`
    }, this.#work)
  }

  /** Before the text is put together: a child may stand with many parents. */
  #count ({ fits }: TextJoin, { text, rows }: RowTexts = none, work: Work): void {
    fits?.(rows)
    this.#rows += rows
    work.mustHold(this.#rows)
    const characters = text.length - Math.max(0, rows - 1)
    work.write(characters)
    work.spend(1 + characters / 16)
  }

  get text (): string {
    const rows = this.#texts.map((row, i) => {
      const members = this.#members[i] as string
      if (members === '') return row
      return row.length > 2 ? `${row.slice(0, -1)}${members}}` : `{${members.slice(1)}}`
    })
    return `[${rows.join(',')}]`
  }
}

const none: RowTexts = { text: '', rows: 0 }

/** The children of all parents, by the value that joins them. */
function children (
  join: TextJoin, parentValues: readonly ConditionValue[], operation: Operation
): MaybePromise<Map<unknown, string[]>> {
  const { target, childKey } = join
  const values = [...new Set(parentValues)].filter(value => value !== null && value !== undefined)
  const text = target.storeText
  if (values.length === 0 || text === undefined) return new Map()
  const where: Condition = { kind: 'in', op: 'inq', path: propertyPath(target, childKey), values }
  const isById = childKey === target.id?.name
  // Rows of different parents may come in any order. In this one they stand in the index that finds them, where nothing
  // is sorted.
  const query = isById ? { ...childrenQuery(join, where), order: [] } : childrenQuery(join, where, [childKey])
  const work = operation.options[WORK]
  const isOneEach = isById && values.length <= fewRows
  return chain(
    text.findKeyed(
      target,
      work === undefined || isOneEach ? query : bounded(query, work),
      [childKey],
      readOptions(target, operation.options)
    ),
    ({ keys, texts }) => {
      const byKey = new Map<unknown, string[]>()
      for (let i = 0; i < texts.length; i++) {
        const key = keys[i]?.[0]
        const list = byKey.get(key)
        if (list === undefined) byKey.set(key, [texts[i] as string])
        else list.push(texts[i] as string)
      }
      return byKey
    }
  )
}
