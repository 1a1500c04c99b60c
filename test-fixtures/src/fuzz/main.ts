/** `npm run fuzz`: attacks application folders and tells what gave way. See README.md of test-fixtures. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { AttackOptions } from './attack.js'
import { Attacker, campaign, confirmed, replay, type Found } from './campaign.js'
import { readSeed, seedOf } from './seeds.js'
import { faultText, progressText, summaryText } from './report.js'
import { climb, type Climbed } from './costly/climb.js'
import { climbProgress, climbText } from './costly/report.js'
import { checkout } from './checkout.js'
import { storeNames, type StoreName } from './target.js'

const usage = `npm run fuzz -- [options]
  --app DIR         application folder; may be given several times. Default: all of test-fixtures/apps
  --store NAME      memory, sqlite or postgres; may be given several times. Default: memory
  --requests N      requests to each application and store. Default: 20,000, or no limit with --seconds
  --seconds N       seconds for each application and store
  --seed N          begins with this seed. Default: a random one, which is printed
  --faults N        stops after so many different faults. Default: 20
  --may-fail NAME   an operation (Tool.failing) that answers 5xx on purpose; may be given several times. Errors thrown by the application's own files are
                    never faults, but are counted
  --keep FOLDER     writes each fault there, to be replayed
  --replay WHAT     repeats one fault: a file that --keep wrote, or the seed and path of a report (with the same --app and --store)
  --costly          looks for the requests that make others wait longest, or take most memory; what passes 50 ms or 64 MiB is a fault. Each is one
                    anonymous request of up to 16 kB. Default of --app: test-fixtures/costly, with 2,000 rows (COSTLY_ROWS); of --requests: 5,000
  --quiet           no progress`

const server = 'http://127.0.0.1:3000'

async function main (): Promise<number> {
  const { values } = parseArgs({
    options: {
      app: { type: 'string', multiple: true },
      store: { type: 'string', multiple: true },
      requests: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      faults: { type: 'string' },
      keep: { type: 'string' },
      'may-fail': { type: 'string', multiple: true },
      replay: { type: 'string' },
      costly: { type: 'boolean' },
      quiet: { type: 'boolean' },
      help: { type: 'boolean' }
    }
  })
  if (values.help === true) {
    console.log(usage)
    return 0
  }
  const own = path.join(checkout, 'test-fixtures/apps')
  const costly = values.costly === true
  if (costly) process.env.COSTLY_ROWS ??= '2000'
  const usual = (): string[] =>
    costly ? [path.join(checkout, 'test-fixtures/costly')] : readdirSync(own).map(name => path.join(own, name))
  const apps = (values.app ?? usual()).map(dir => path.resolve(dir))
  for (const dir of apps) if (!existsSync(dir)) throw new Error(`There is no folder ${dir}`)
  const stores = (values.store ?? ['memory']).flatMap(names => names.split(',')).map(name => {
    if (!(storeNames as readonly string[]).includes(name)) {
      throw new Error(`--store must be one of ${storeNames.join(', ')}, not "${name}"`)
    }
    return name as StoreName
  })
  const seconds = values.seconds === undefined ? undefined : integerOption('seconds', values.seconds)
  const requests =
    values.requests === undefined
      ? seconds !== undefined
        ? Infinity
        : costly
          ? 5_000
          : 20_000
      : integerOption('requests', values.requests)
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : integerOption('seed', values.seed)
  const mayFail = values['may-fail'] ?? []
  let failed = false
  for (const dir of apps) {
    for (const store of stores) {
      const name = `${path.basename(dir)} on ${store}`
      if (costly) {
        console.log(`${name}: seed ${seed}`)
        const onProgress =
          values.quiet === true
            ? {}
            : {
                onProgress: (outcome: Climbed) => {
                  console.log(climbProgress(outcome))
                }
              }
        const outcome = await climb({ dir, store, seed, requests, seconds, ...onProgress })
        console.log(climbText(name, outcome, server))
        failed ||= outcome.faults.length > 0
        continue
      }
      const tell = (found: Found): void => {
        failed = true
        console.log(faultText(found, server))
        if (values.keep !== undefined && found.session.requests.length > 0) keep(values.keep, dir, store, found)
      }
      if (values.replay !== undefined) {
        const again = existsSync(values.replay)
          ? await replayFile(values.replay, { dir, store, mayFail })
          : await replay({ dir, store, mayFail }, values.replay)
        if (again === undefined) console.log(`${name}: ${values.replay} shows no fault`)
        else tell(again)
        continue
      }
      console.log(`${name}: seed ${seed}`)
      const outcome = await campaign({
        dir,
        store,
        seed,
        mayFail,
        requests,
        seconds,
        ...(values.faults === undefined ? {} : { faults: integerOption('faults', values.faults) }),
        onFault: tell,
        ...(values.quiet === true
          ? {}
          : {
              onProgress: statistics => {
                console.log(progressText(statistics))
              }
            })
      })
      // Those that no request shows: memory, an end that does not come.
      for (const found of outcome.found) if (found.session.requests.length === 0) tell(found)
      console.log(summaryText(name, outcome))
    }
  }
  return failed ? 1 : 0
}

function integerOption (option: string, text: string): number {
  const number = Number(text)
  if (!/^-?\d+$/.test(text)) throw new Error(`--${option} must be a whole number, not "${text}"`)
  return number
}

async function replayFile (file: string, options: AttackOptions): Promise<Found | undefined> {
  const { session } = readSeed(file)
  const attacker = new Attacker(options)
  try {
    const fault = await confirmed(attacker, session)
    return fault === undefined ? undefined : { fault, session, replay: file, repeatable: true }
  } finally {
    await attacker.end()
  }
}

function keep (folder: string, dir: string, store: StoreName, found: Found): void {
  mkdirSync(folder, { recursive: true })
  const name =
    `${path.basename(dir)}-${found.fault.signature.replaceAll(/\W+/g, '-').slice(0, 60)}-${found.replay.replaceAll(':', '_').slice(0, 30)}.json`.toLowerCase()
  writeFileSync(path.join(folder, name), JSON.stringify(seedOf(dir, store, found), null, 2) + '\n')
}

// The server under attack goes with the runner.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

main().then(code => { process.exitCode = code }, (error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  console.error(usage)
  process.exitCode = 2
})
