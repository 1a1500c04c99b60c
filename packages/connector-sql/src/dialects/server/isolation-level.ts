/** Isolation levels of transactions. */
import { IsolationLevelError } from '../../errors.js'

const levels: readonly string[] = ['READ UNCOMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE']

/**
 * The level as SQL has it.
 * @throws FBK_SQL_ISOLATION_LEVEL
 */
export function isolationLevelOf (given: string): string {
  const level = given.toUpperCase().replaceAll('_', ' ')
  if (!levels.includes(level)) throw new IsolationLevelError(given, levels.join(', '))
  return level
}
