/** Times of a cron expression. */
import { CronExpressionParser } from 'cron-parser'

/**
 * The next time of an expression, of five parts or, with seconds, six. `H` is the same in all processes.
 * @throws Error for an expression or a time zone that is none
 */
export function nextTick (queue: string, cron: string, timeZone: string, after = new Date()): Date {
  const expression = CronExpressionParser.parse(cron, { tz: timeZone, currentDate: after, hashSeed: queue })
  return expression.next().toDate()
}
