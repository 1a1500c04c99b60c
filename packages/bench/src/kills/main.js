import { parseArgs } from 'node:util'
import { kill } from './kills.js'

const HELP = `npm run kills -- [options]

Kills a server by SIGKILL while eight clients write to it (one in ten while it starts), starts it again on the same file, and compares all rows:
what was acknowledged is there, nothing is doubled, a list is there as a whole or not at all, and no hand is needed.

  --rounds N     kills of each store (1000)
  --store S      sqlite, memory (the memory connector's file), or both with a comma (sqlite,memory)
  --seed N       chooses the moments and the writes (1)
  --json         print the figures as JSON
  --help         this text
`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    store: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' }
  }
})
if (values.help) {
  process.stdout.write(HELP)
} else {
  const rounds = Number(values.rounds ?? 1000)
  const seed = Number(values.seed ?? 1)
  const results = await Promise.all((values.store ?? 'sqlite,memory').split(',').map(store => kill({
    store, rounds, seed, say: text => { if (!values.json) process.stderr.write(`${text}\n`) }
  })))
  const at = (sorted, share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  const figures = results.map(({ recovery, ...rest }) => {
    const sorted = recovery.toSorted((a, b) => a - b)
    return { ...rest, recoveryMs: { median: at(sorted, 0.5), most: at(sorted, 1) } }
  })
  if (values.json) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
  else {
    for (const each of figures) {
      process.stdout.write(
        `${each.store}, seed ${each.seed}: ${each.kills} kills (${each.killsAtStart} while starting), ${each.acknowledged} writes acknowledged, ${each.unanswered} unanswered ` +
          `(${each.survived} of them done), ${each.faults.length} faults; started and answered all rows in ${each.recoveryMs.median} ms (median), ${each.recoveryMs.most} ms (most)\n`
      )
      for (const fault of each.faults) process.stdout.write(`  ${fault}\n`)
    }
  }
  if (figures.some(({ faults }) => faults.length > 0)) process.exitCode = 1
}
