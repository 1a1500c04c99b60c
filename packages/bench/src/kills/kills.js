import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { seeded, seedOf } from '../random.js'
import { openDatabase } from '../sqlite.js'
import { ask, write } from './clients.js'
import { Ledger } from './ledger.js'

const server = fileURLToPath(new URL('./server.js', import.meta.url))
const CLIENTS = 8
/** Kills of one file; then a new one, so that a check of all rows stays short. */
const KILLS_PER_FILE = 20

/**
 * Kills a server by SIGKILL while eight clients write, starts it again on the same file, and compares every row with
 * what was answered.
 * @param {object} options `store` (`sqlite`, `memory`: the memory connector's file), `rounds`, `seed`, `say` (told now
 * and then how far it is)
 * @returns the figures; `faults` lists what did not hold
 */
export async function kill ({ store, rounds, seed, say = () => {} }) {
  const dir = await mkdtemp(path.join(tmpdir(), 'fastback-kills-'))
  const figures = {
    store,
    seed,
    kills: 0,
    killsAtStart: 0,
    acknowledged: 0,
    unanswered: 0,
    survived: 0,
    faults: [],
    recovery: []
  }
  try {
    for (let first = 0; first < rounds; first += KILLS_PER_FILE) {
      await killOneFile(
        { store, seed, file: path.join(dir, `${first}.db`), first, last: Math.min(first + KILLS_PER_FILE, rounds) },
        figures
      )
      say(
        `${store}: ${figures.kills} kills, ${figures.acknowledged} writes acknowledged, ${figures.faults.length} faults`
      )
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
  return figures
}

async function killOneFile ({ store, seed, file, first, last }, figures) {
  const ledger = new Ledger()
  const fault = (round, what) => { figures.faults.push(`round ${round} of seed ${seed}, ${store}: ${what}`) }
  for (let round = first; round <= last; round++) {
    const random = seeded(seedOf(seed, store, round))
    // One in ten is killed while it starts, and repairs what the one before left.
    if (round < last && random.integer(0, 9) === 0) {
      const { child } = start(store, file)
      await sleep(random.integer(50, 1500))
      await end(child)
      figures.kills++
      figures.killsAtStart++
      continue
    }
    const begun = performance.now()
    const { child, ready } = start(store, file)
    const port = await ready
    if (port === undefined) {
      fault(round, 'the server did not start again')
      return
    }
    const agent = new Agent()
    const answer = await ask(port, agent, 'GET', '/api/Entries?filter={"limit":100000}')
    if (round > first) figures.recovery.push(performance.now() - begun)
    if (answer?.status !== 200) fault(round, `the rows cannot be read: ${answer?.status}`)
    const { survived, vanished, ...wrong } = ledger.settle(answer?.body ?? [])
    figures.survived += survived
    figures.unanswered += survived + vanished
    for (const [what, list] of Object.entries(wrong)) {
      if (list.length > 0) fault(round, `${what}: ${JSON.stringify(list)}`)
    }
    if (round === last) {
      await end(child)
      break
    }
    await loadAndKill({ child, port, ledger, random, round, figures, fault })
  }
  figures.acknowledged += ledger.acknowledged
  if (store === 'sqlite') {
    const database = openDatabase(file)
    const { integrity_check: integrity } = database.prepare('PRAGMA integrity_check').get()
    database.close()
    if (integrity !== 'ok') fault(last, `integrity_check: ${integrity}`)
  }
}

/** The moment is a number of responses, and a few milliseconds more: in the middle of whatever is then being done. */
async function loadAndKill ({ child, port, ledger, random, round, figures, fault }) {
  let left = random.integer(1, 40)
  const delay = random.integer(0, 8)
  let enough
  const reached = new Promise(resolve => { enough = resolve })
  const clients = Array.from({ length: CLIENTS }, (_, client) => write({
    port,
    ledger,
    random: seeded(seedOf(round, client, random.integer(0, 1e9))),
    name: `${round}-${client}`,
    onWrite: () => { if (--left === 0) enough() }
  }))
  await Promise.race([reached, Promise.all(clients)])
  await sleep(delay)
  await end(child)
  figures.kills++
  for (const refused of (await Promise.all(clients)).flat()) fault(round, `refused: ${refused}`)
}

/** `ready` gives the port; undefined when the process ended before it listened. */
function start (store, file) {
  const child = spawn(process.execPath, [server, store, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ready = Promise.race([
    once(child.stdout, 'data').then(([text]) => Number(String(text))),
    once(child, 'exit').then(() => undefined)
  ])
  return { child, ready }
}

async function end (child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
