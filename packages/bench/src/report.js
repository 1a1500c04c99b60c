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

/** Ratios beside what they are to be, where the loads have a target; against another Fastback there is none. */
function reportTargets (summary, reference) {
  if (reference === 'before') return []
  const ratioOf = id => summary.find(entry => entry.load === id && entry.server === 'fastback')?.ratioWithDatabase
  const measured = LOADS.filter(({ id, target }) => target !== undefined && Number.isFinite(ratioOf(id)))
  const rows = measured.map(({ id, target }) => {
    const ratio = ratioOf(id)
    return [titleOf(id), shown(target, 2), shown(ratio, 2), ratio >= target ? 'met' : 'missed']
  })
  return rows.length === 0 ? [] : [table(`Targets of the ratio to ${reference}`, [['', 'target', 'fastback', ''], ...rows])]
}

/** What the rounds with one number of connections say. */
export function report ({ summary, servers, loads, reference }) {
  const spread = ({ lowestRatio, highestRatio }) => `${shown(lowestRatio, 2)}–${shown(highestRatio, 2)}`
  const cells = (title, cell) => grid(title, summary, servers, loads, cell)
  const hasDatabase = summary.some(entry => Number.isFinite(entry.databaseMicroseconds))
  const parts = [
    cells('Processor time of the server per request, µs (median of the rounds)', entry => shown(entry.microseconds, 0)),
    ...(hasDatabase
      ? [cells('Processor time of the database server per request, µs (median)',
          entry => shown(entry.databaseMicroseconds, 0)),
        cells('Processor time of both per request, µs (median)', entry => shown(entry.togetherMicroseconds, 0))]
      : []),
    cells(`Requests in the processor time in which ${reference} answers one, same round (median; more is better)`,
      entry => shown(entry.ratio, 2)),
    ...(hasDatabase
      ? [cells(`The same with the processor time of the database server, of ${reference} and of the other`,
          entry => shown(entry.ratioWithDatabase, 2))]
      : []),
    ...reportTargets(summary, reference),
    cells('Spread of that ratio over the rounds', entry => Number.isFinite(entry.ratio) ? spread(entry) : '–'),
    ...(servers.length > 1 && servers.includes('fastback')
      ? [cells('Requests in the processor time in which fastback answers one, same round (median; more is better)',
          entry => shown(entry.ofFastback, 2))]
      : []),
    cells('Requests per second', entry => shown(entry.requestsPerSecond, 0)),
    cells('p99, ms, while every connection asks as fast as it is answered', entry => shown(entry.p99, 1)),
    cells('Resident memory after the last round of each load, MB (no collection forced), and thousands of requests answered by then',
      entry => Number.isFinite(entry.memory) ? `${shown(entry.memory, 0)} (${shown(entry.answered / 1000, 0)} k)` : '–')
  ]
  const failed = summary.filter(entry => entry.failures > 0)
  if (failed.length) {
    parts.push('Not every answer was good:\n' + failed
      .map(entry => `  ${entry.server} ${entry.load}: ${entry.failures} of ${entry.requests}`).join('\n') + '\n')
  }
  return parts.join('\n')
}

/**
 * What the paced rounds say.
 * @param {ReturnType<typeof import('./summary.js').summarisePaced>} summary
 * @param {string[]} servers
 * @param {{ share: number, reference: string }} pace
 */
export function reportPaced (summary, servers, { share, reference }) {
  const loads = [...new Set(summary.map(({ load }) => load))]
  const late = Math.max(...summary.map(({ lateP99 }) => lateP99).filter(Number.isFinite))
  const percent = Math.round(share * 100)
  return [
    grid(`p99 from when a request was due, ms, at ${percent} % of what ${reference} did (×: did not keep up)`, summary, servers, loads,
      entry => shown(entry.p99, 1) + (entry.keptUp ? '' : ' ×')),
    grid('Requests per second that were due', summary, servers, loads, entry => shown(entry.rate, 0)),
    `The generator itself saw a request up to ${shown(late, 1)} ms (p99) after it was due; that is in the figures.\n`
  ].join('\n')
}

/** What the processes of the servers say at the end. */
export function reportProcesses (processes) {
  const row = (title, cell) => [title, ...processes.map(cell)]
  return table('Process', [
    row('', one => one.name),
    row('start to first answer, s', one => shown(median(one.startMs) / 1000, 2)),
    row('memory at the end, MB', one => shown(one.memory, 0)),
    row('requests answered by then', one => String(one.answered)),
    row('SQLite drivers loaded', one => one.drivers.join(', ') || 'none but Node\'s own')
  ])
}

/** What the comparison of the responses found. */
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
