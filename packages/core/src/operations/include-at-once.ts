/** Include as text in one step, where the store can: parents come with the text of their children. */
import type { RowsIncluding, Share } from '../data-source/text-support.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Query } from '../query/ast.js'
import { among } from '../query/put-away.js'
import { defaultQueryLimits } from '../query/limits.js'
import { WORK, type Work } from '../query/work.js'
import { storeOptions, type Operation } from './context.js'
import { readOptions } from './freshness.js'
import { childrenQuery, type TextJoin } from './text-joins.js'

/** Children of one parent that are read without looking at how large they are. */
const mostChildren = 200

/** Undefined, now or later, where the includes are read one by one. */
export function findAtOnce (
  { model, options }: Operation, query: Query, joins: readonly TextJoin[]
): MaybePromise<RowsIncluding | undefined> {
  const text = model.storeText
  if (text?.findIncluding === undefined || query.limit === undefined) return undefined
  const { transaction } = storeOptions(model, options)
  for (const { target } of joins) {
    if (!isKeptWith(model, target) || storeOptions(target, options).transaction !== transaction) return undefined
  }
  const belonging = joins.map(join => {
    const { target, parentKey, childKey, multiple } = join
    return { model: target, parentKey, childKey, query: present(target, childrenQuery(join)), multiple }
  })
  return text.findIncluding(
    model, query, belonging, shareOf(query.limit, joins, options[WORK]), readOptions(model, options)
  )
}

/** Rows of another model that are put away are left out here: its own layer is not on the way. */
const present = (target: CompiledModel, query: Query): Query =>
  target.softDelete === undefined ? query : { ...query, where: among(target, query.where, undefined) }

/** What stands between a model and its store may want to know of each read. */
const isKeptWith = (model: CompiledModel, target: CompiledModel): boolean =>
  target.Model.state.dataSource === model.Model.state.dataSource && target.storeText?.findIncluding !== undefined

/** An equal part of what the response may have: nobody counts while the store puts it together. */
function shareOf (parents: number, joins: readonly TextJoin[], { rows, bytes }: Limits = defaultQueryLimits): Share {
  const shares = parents * joins.length
  return { rows: Math.min(mostChildren, Math.ceil(rows / shares)), characters: Math.ceil(bytes / shares) }
}

type Limits = Pick<Work, 'rows' | 'bytes'>
