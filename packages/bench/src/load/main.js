import { parseArgs } from 'node:util'
import idle from './idle.js'
import logins from './logins.js'
import loginsAtOnce, { LOGINS_FACTOR } from './logins-at-once.js'
import mixed from './mixed.js'
import reads from './reads.js'
import slow from './slow.js'
import streams from './streams.js'
import { P99_FACTOR, withTarget } from './target.js'

const SCENARIOS = [idle, slow, logins, loginsAtOnce, streams, reads, mixed]

const HELP = `npm run load -- [options] [scenario…]

What a server holds: each scenario has a server of its own on the data of the bench, and other requests (200 reads a second) beside it,
whose 99th percentile may be at most ${P99_FACTOR} times what it is while nothing else happens (beside steady logins: ${LOGINS_FACTOR}).

${SCENARIOS.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join('\n')}

  --scale F      the same with a share of the clients or requests (1)
  --store S      sqlite or memory (sqlite)
  --help         this text
`

const say = text => process.stdout.write(text + '\n')

async function main () {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { scale: { type: 'string' }, store: { type: 'string' }, help: { type: 'boolean' } }
  })
  if (values.help) return say(HELP)
  const unknown = positionals.find(name => !SCENARIOS.some(scenario => scenario.name === name))
  if (unknown !== undefined) {
    throw new Error(`no such scenario as ${unknown} (there are: ${SCENARIOS.map(({ name }) => name).join(', ')})`)
  }
  const scale = Number(values.scale ?? 1)
  if (!(scale > 0)) throw new Error('--scale wants a positive number')
  let broken = 0

  function check (what, result) {
    const held = typeof result === 'boolean' ? result : result.held
    if (!held) broken++
    say(
      `  ${held ? 'held  ' : 'BROKEN'} ${what}` +
        (typeof result === 'boolean'
          ? ''
          : `: p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, at most ${result.max.toFixed(0)} ms of ${result.count}` +
            `${result.failures ? `, ${result.failures} failed` : ''}; allowed p99 ${result.allowed.toFixed(1)} ms`)
    )
  }

  for (const scenario of SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    say(`\n${scenario.title}${scale === 1 ? '' : ` (× ${scale})`}`)
    await withTarget({ store: values.store ?? 'sqlite', looksAtHeap: scenario.looksAtHeap }, async target => {
      say(`  quiet: p50 ${target.quiet.p50.toFixed(1)} ms, p99 ${target.quiet.p99.toFixed(1)} ms`)
      await scenario.run(target, { scale, check, say: text => say(`  ${text}`) })
    })
  }
  if (broken > 0) process.exitCode = 1
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
await main().catch(error => {
  process.stderr.write(
    `${error.message}${error.cause === undefined ? '' : `: ${error.cause.message ?? error.cause}`}\n`
  )
  process.exitCode = 2
})
