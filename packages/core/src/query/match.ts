/** What a condition means to a server: patterns run in linear time. */
import { badQuery } from '../errors.js'
import { conditionCompiler } from './conditions.js'
import { compileRegExp } from './regexp.js'

export { nearOf, type RowTest } from './conditions.js'

/**
 * Compiles a condition to a test of rows. Without a condition every row passes.
 *
 * ```js
 * const where = parseWhere(model, { stars: { gt: 2 } }, { external: false, limits: defaultQueryLimits })
 * const passes = compileCondition(where)
 * rows.filter(passes)
 * ```
 * @param meter counts what the test takes; it throws when that is too much
 * @throws RequestError 400 RELATION_IN_QUERY for a condition on related rows
 */
export const compileCondition = conditionCompiler(compileRegExp, relation => badQuery(
  `A condition on rows of "${relation}" cannot be kept right here: changes of those rows are not seen. Use the row's own properties.`,
  'RELATION_IN_QUERY', { relation }
))
