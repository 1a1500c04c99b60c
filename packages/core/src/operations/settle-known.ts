/** What is left of a condition once it is known what a row will have in some of its properties. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Condition, LinkedCondition } from '../query/ast.js'
import { compileCondition } from '../query/match.js'
import { bothConditions } from '../query/merge.js'
import { propertiesOfTest } from '../query/named-properties.js'
import { keyCondition } from '../query/narrow.js'
import { always, never } from '../query/parse-value.js'
import { storeOptions } from './context.js'
import { settledLinks, type Resolving } from './related-conditions.js'

/** What is known of a row. */
export interface KnownRow {
  readonly row: Readonly<Row>
  /** Whether it is all of the row; else the properties that `row` does not have are not known. */
  readonly isWhole: boolean
}

/**
 * The condition with each part decided that looks at nothing else than what is known: `always` or `never` in its place.
 * What looks at other properties stays, and the condition itself where nothing is known of what it looks at.
 *
 * ```js
 * // where: { ownerId: 7, status: 'open' }
 * const known = { row: { status: 'open' }, isWhole: false }
 * await settleKnown(where, known, resolving) // the condition { ownerId: 7 }
 * ```
 * @param where its relations are links (`linkedRows`)
 */
export function settleKnown (
  where: Condition, known: KnownRow, resolving: Resolving
): MaybePromise<Condition> {
  if ('conditions' in where) return settleGroup(where, known, resolving)
  if (where.kind === 'related') return where
  const { row, isWhole } = known
  const isKnown = (name: string): boolean => isWhole || Object.hasOwn(row, name)
  if (where.kind === 'linked') {
    return isKnown(where.from)
      ? chain(leadsToRow(where, row[where.from], resolving), leads => leads ? always : never)
      : where
  }
  if (!propertiesOfTest(where).every(isKnown)) return where
  return compileCondition(where)(row as Row) ? always : never
}

type Group = Extract<Condition, { readonly conditions: unknown }>

function settleGroup (
  group: Group, known: KnownRow, resolving: Resolving
): MaybePromise<Condition> {
  const left: Condition[] = []
  let changed = false
  /** What decides the group: one part that fails an `and`, one that passes an `or` or `nor`. */
  let decided = false
  const [neutral, deciding] = group.kind === 'and' ? [always, never] : [never, always]
  const add = (part: Condition): MaybePromise<void> => decided
    ? undefined
    : chain(settleKnown(part, known, resolving), settled => {
      changed ||= settled !== part
      if (settled === deciding) decided = true
      else if (settled !== neutral) left.push(settled)
    })
  return chain(eachInSequence(group.conditions, add), () => {
    if (group.conditions.length === 0) return group.kind === 'or' ? never : always
    if (!changed && !decided) return group
    if (decided) return group.kind === 'and' || group.kind === 'nor' ? never : always
    if (left.length === 0) return group.kind === 'or' ? never : always
    return left.length === 1 && group.kind !== 'nor' ? left[0] as Condition : { ...group, conditions: left }
  })
}

/** Whether a key leads to a row that passes the condition of a link. */
function leadsToRow (
  { model, to, condition }: LinkedCondition, key: unknown, resolving: Resolving
): MaybePromise<boolean> {
  if (key === undefined || key === null) return false
  const other = model as CompiledModel
  const where = bothConditions(keyCondition(other, [{ [to]: key }]), condition) as Condition
  return chain(settledLinks(other, where, resolving), settled =>
    chain(other.connector.count(other, settled, storeOptions(other, resolving.options)), count => count > 0))
}
