/** What people read: each fault with the line that repeats it, and the figures. */
import type { Found, Outcome } from './campaign.js'
import type { Statistics } from './statistics.js'
import { shellLine } from './wire-request.js'

export function faultText ({ fault, session, replay, repeatable }: Found, url: string): string {
  const lines = session.requests.map(request => shellLine(request, url))
  return [
    `FAULT ${fault.what}`,
    ...(session.requests.length > 1 ? [session.together ? '  at once:' : '  one after the other:'] : []),
    ...lines.map(line => `  ${line.length > 4_000 ? `${line.slice(0, 4_000)} … (${line.length} characters)` : line}`),
    `  --replay ${replay}${repeatable ? '' : '   (no smaller request showed it)'}`
  ].join('\n')
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

export function progressText ({ requests, seconds, memory, slowest }: Statistics): string {
  return `  ${requests} requests in ${seconds.toFixed(0)} s, memory ${mebibytes(memory.at(-1)?.bytes ?? 0)}, slowest answer ${slowest.milliseconds.toFixed(0)} ms`
}

export function summaryText (name: string, { found, statistics, operations }: Outcome): string {
  const { requests, seconds, statuses, reached, refused, memory, slowest, slowestProbe, applicationErrors } = statistics
  const thrown = Object.entries(applicationErrors)
  return [
    `${name}: ${requests} requests in ${seconds.toFixed(1)} s (${(requests / seconds).toFixed(0)}/s), ${found.length} faults`,
    `  statuses: ${Object.entries(statuses)
      .map(([status, count]) => `${status} ${count}`)
      .join(', ')}`,
    `  routes: ${reached.size} of ${operations} answered with success at least once (${((100 * reached.size) / operations).toFixed(1)} %), ${refused.size} refused at least once`,
    `  slowest answer ${slowest.milliseconds.toFixed(0)} ms (${slowest.what}), longest wait of the prober ${slowestProbe.toFixed(0)} ms`,
    `  memory: ${mebibytes(memory[0]?.bytes ?? 0)} after ${memory[0]?.requests ?? 0} requests, ${mebibytes(memory.at(-1)?.bytes ?? 0)} at the end`,
    ...(statistics.notRepeated.length === 0 ? [] : [`  slow once, and not again: ${statistics.notRepeated.length}`]),
    ...(thrown.length === 0
      ? []
      : [`  thrown by the application's own code: ${thrown.map(([id, count]) => `${id} ${count}`).join(', ')}`])
  ].join('\n')
}
