import { LOADS } from './loads.js'
import { median } from './stats.js'

/** A table of text: first column to the left, the others to the right. */
export function table (title, rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)))
  const lines = rows.map(row => row
    .map((cell, column) => column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])).join('  '))
  lines.splice(1, 0, widths.map(width => '-'.repeat(width)).join('  '))
  return `${title}\n\n${lines.join('\n')}\n`
}

const shown = (value, digits) => Number.isFinite(value) ? value.toFixed(digits) : '–'
const titleOf = id => `${id} ${LOADS.find(load => load.id === id).title}`

function grid (title, summary, servers, loads, cell) {
  const body = loads.map(load => [
    titleOf(load),
    ...servers.map(server => cell(summary.find(entry => entry.load === load && entry.server === server)))
  ])
  return table(title, [['', ...servers], ...body])
}

/** Everything a run prints at its end. */
export function report ({ summary, servers, loads, processes, reference }) {
  const spread = ({ lowestRatio, highestRatio }) => `${shown(lowestRatio, 2)}–${shown(highestRatio, 2)}`
  const parts = [
    grid('Processor time of the server per request, µs (median of the rounds)', summary, servers, loads,
      entry => shown(entry.microseconds, 0)),
    grid(`Ratio to ${reference}: its time / the server's, same round (median; 1 is as cheap, higher is better)`,
      summary, servers, loads, entry => shown(entry.ratio, 2)),
    grid('Spread of that ratio over the rounds', summary, servers, loads,
      entry => Number.isFinite(entry.ratio) ? spread(entry) : '–'),
    ...(servers.length > 1 && servers.includes('fastback')
      ? [grid('How many times what Fastback takes, same round (median)', summary, servers, loads,
          entry => shown(entry.timesFastback, 2))]
      : []),
    grid('Requests per second', summary, servers, loads, entry => shown(entry.requestsPerSecond, 0)),
    grid('p99, ms', summary, servers, loads, entry => shown(entry.p99, 1)),
    table('Process', [
      ['', ...servers],
      ['start to first answer, s', ...processes.map(one => shown(median(one.startMs) / 1000, 2))],
      ['memory after load, MB', ...processes.map(one => shown(one.memory, 0))]
    ])
  ]
  const failed = summary.filter(entry => entry.failures > 0)
  if (failed.length) {
    parts.push('Not every answer was good:\n' + failed
      .map(entry => `  ${entry.server} ${entry.load}: ${entry.failures} of ${entry.requests}`).join('\n') + '\n')
  }
  return parts.join('\n')
}

/** What the comparison of the answers found. */
export function reportComparison (findings, servers, loads, reference) {
  const reasons = findings.filter(one => one.reason).map(one => `  ${one.server} ${one.load} left out: ${one.reason}\n`)
  const others = servers.filter(server => server !== reference)
  if (others.length === 0) return reasons.join('')
  const rows = loads.map(load => [
    titleOf(load),
    ...others.map(server => findings.find(one => one.load === load && one.server === server)?.result ?? '–')
  ])
  return (
    table(`Answers compared with ${reference}'s: same bytes, or the same JSON`, [['', ...others], ...rows]) +
    reasons.join('')
  )
}
