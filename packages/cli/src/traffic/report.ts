/** A comparison as people read it, and as the Test Anything Protocol has it. */
import type { ComparedExchange, ComparisonReport } from './compare.js'
import type { Difference } from './difference.js'

const longest = 200

/** A value on one line, cut where it is long. */
function shown (value: unknown): string {
  if (value === undefined) return '(nothing)'
  const text = JSON.stringify(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`
}

const line = ({ place, recorded, live }: Difference): string => `${place}: recorded ${shown(recorded)}, now ${shown(live)}`

const nameOf = ({ number, method, path }: ComparedExchange): string => `#${number} ${method} ${path}`

/** The exchanges that differ, and a line about all. */
export function textReport ({ exchanges, compared, skipped, different, against }: ComparisonReport): string {
  const rows = exchanges.filter(each => each.differences.length > 0)
    .flatMap(each => [nameOf(each), ...each.differences.map(difference => `  ${line(difference)}`), ''])
  const reasons = [...new Set(exchanges.flatMap(each => each.skipped ?? []))]
  return [
    ...rows,
    `${compared} exchanges compared against ${against}: ${different === 0 ? 'no differences' : `${different} differ`}` +
      (skipped === 0 ? '' : `; ${skipped} were not sent (${reasons.join('; ')})`)
  ].join('\n')
}

/** Each exchange is a test. */
export function tapReport ({ exchanges }: ComparisonReport): string {
  const tests = exchanges.flatMap((each, at) => {
    const name = `${at + 1} - ${nameOf(each).replaceAll('#', '\\#')}`
    if (each.skipped !== undefined) return [`ok ${name} # SKIP ${each.skipped}`]
    if (each.differences.length === 0) return [`ok ${name}`]
    return [`not ok ${name}`, '  ---', '  differences:', ...each.differences.map(difference => `    - ${JSON.stringify(line(difference))}`), '  ...']
  })
  return ['TAP version 14', `1..${exchanges.length}`, ...tests].join('\n')
}
