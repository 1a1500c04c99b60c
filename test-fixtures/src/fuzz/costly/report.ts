/** What people read: the worst requests, as lines for a shell. */
import { shellLine } from '../wire-request.js'
import { objectives, type Climbed, type Tried } from './climb.js'

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
const costText = ({ hold, grown, status, milliseconds }: Tried): string =>
  `others wait ${hold.toFixed(0)} ms, ${mebibytes(grown)} more, ${status} after ${milliseconds.toFixed(0)} ms`
const shortened = (line: string): string =>
  line.length > 1_500 ? `${line.slice(0, 1_500)} … (${line.length} characters)` : line

export function climbProgress ({ requests, seconds, worst }: Climbed): string {
  return `  ${requests} requests in ${seconds.toFixed(0)} s: longest wait of others ${worst.hold[0]?.hold.toFixed(0) ?? 0} ms, most memory ${mebibytes(worst.grown[0]?.grown ?? 0)}`
}

/** @param shown how many of the worst of each measure */
export function climbText (
  name: string,
  { requests, seconds, worst, faults, statuses }: Climbed,
  url: string,
  shown = 3
): string {
  return [
    ...faults.map(({ what, request }) => `FAULT ${what}\n  ${shortened(shellLine(request, url))}`),
    `${name}: ${requests} requests in ${seconds.toFixed(1)} s, ${faults.length} faults`,
    `  statuses: ${Object.entries(statuses)
      .map(([status, count]) => `${status} ${count}`)
      .join(', ')}`,
    ...objectives.flatMap(objective => [
      `  worst by ${objective === 'hold' ? 'the wait of others' : 'memory'}:`,
      ...worst[objective]
        .slice(0, shown)
        .map(
          tried =>
            `    ${tried.request.operation}: ${costText(tried)}\n      ${shortened(shellLine(tried.request, url))}`
        )
    ])
  ].join('\n')
}
