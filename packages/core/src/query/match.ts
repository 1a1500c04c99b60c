/** What a condition means to a server: patterns run in linear time. */
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
 */
export const compileCondition = conditionCompiler(compileRegExp)
