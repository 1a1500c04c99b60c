/** Session after session until the budget is spent; each fault that is found is made small. */
import fc from 'fast-check'
import { Attack, type AttackOptions, type Fault } from './attack.js'
import { sessionsOf, type Session } from './requests.js'
import { Statistics } from './statistics.js'

export interface CampaignOptions extends AttackOptions {
  readonly seed: number
  /** Requests to send, at least. */
  readonly requests: number
  /** Seconds after which no new session begins. Default: no limit. */
  readonly seconds?: number | undefined
  /** Different faults after which to stop. Default: 20. */
  readonly faults?: number
  /** Seconds that making a fault small may take. Default: 40. */
  readonly shrinkSeconds?: number
  /** Requests between two looks at the memory. Default: a tenth of `requests`, at least 2,000. */
  readonly memoryEvery?: number
  /** Is told of each fault when it is found. */
  readonly onFault?: (found: Found) => void
  readonly onProgress?: (statistics: Statistics) => void
}

/** A fault with the smallest session that shows it. */
export interface Found {
  readonly fault: Fault
  readonly session: Session
  /** For `--replay`: seed and path of fast-check. */
  readonly replay: string
  /** False: the smaller ones that were tried did not show it, or it was seen once only. */
  readonly repeatable: boolean
}

export interface Outcome {
  readonly found: readonly Found[]
  readonly statistics: Statistics
  readonly operations: number
}

/** Sessions that fast-check is given at a time: each batch has a seed of its own, which is enough to repeat it. */
const batch = 25
/** Sessions tried to make a fault small. */
const shrinkTries = 300

export async function campaign (options: CampaignOptions): Promise<Outcome> {
  const found: Found[] = []
  const known = new Set<string>()
  const attacker = new Attacker(options)
  const { statistics, world } = await attacker.attack()
  const every = options.memoryEvery ?? Math.max(2_000, Math.floor(options.requests / 10))
  let measureAt = Math.min(1_000, every)
  let tell = 0
  try {
    for (let seed = options.seed; !isSpent(options, statistics, found.length); seed = (seed + 1) | 0) {
      const failure = await checkBatch(attacker, seed, known, options.shrinkSeconds)
      if (failure !== undefined) {
        known.add(failure.fault.signature)
        found.push(failure)
        options.onFault?.(failure)
      }
      const attack = await attacker.attack()
      if (statistics.requests < measureAt) continue
      measureAt = statistics.requests + every
      await attack.measureMemory()
      if (tell++ > 0 || every > 1_000) options.onProgress?.(statistics)
    }
    await (await attacker.attack()).measureMemory()
    const grown = growth(statistics)
    if (grown !== undefined) {
      found.push({ fault: grown, session: noRequest, replay: `${options.seed}`, repeatable: true })
    }
  } finally {
    const last = await attacker.end()
    if (last !== undefined) found.push({ fault: last, session: noRequest, replay: `${options.seed}`, repeatable: true })
  }
  return { found, statistics, operations: world.operations.length }
}

const noRequest: Session = { together: false, requests: [] }

const isSpent = ({ requests, seconds, faults }: CampaignOptions, statistics: Statistics, found: number): boolean =>
  statistics.requests >= requests || found >= (faults ?? 20) || (seconds !== undefined && statistics.seconds >= seconds)

/** An attack that begins anew when the server is gone, with the same figures. */
export class Attacker {
  #attack: Attack | undefined

  constructor (readonly options: AttackOptions) {}

  async attack (): Promise<Attack> {
    const before = this.#attack
    if (before !== undefined && before.target.ended === undefined) return before
    await before?.end()
    return (this.#attack = await Attack.begin(this.options, before?.statistics))
  }

  async end (): Promise<Fault | undefined> {
    return await this.#attack?.end()
  }
}

async function checkBatch (
  attacker: Attacker,
  seed: number,
  known: ReadonlySet<string>,
  shrinkSeconds = 40,
  path?: string
): Promise<Found | undefined> {
  let hunted: Fault | undefined
  let until = Infinity
  let tries = 0
  const { world } = await attacker.attack()
  const property = fc.asyncProperty(sessionsOf(world), async session => {
    if (hunted !== undefined && (++tries > shrinkTries || performance.now() > until)) return
    const fault = await confirmed(attacker, session)
    if (
      fault === undefined ||
      known.has(fault.signature) ||
      (hunted !== undefined && fault.signature !== hunted.signature)
    ) { return }
    if (hunted === undefined) until = performance.now() + 1_000 * shrinkSeconds
    hunted = fault
    throw new Error(fault.what)
  })
  const details = await fc.check(property, {
    seed,
    numRuns: batch,
    unbiased: true,
    ...(path === undefined ? {} : { path })
  })
  if (!details.failed || hunted === undefined) return undefined
  const session = await withoutTheRest(attacker, (details.counterexample as [Session])[0], hunted)
  return {
    fault: hunted,
    session,
    replay: `${seed}:${details.counterexamplePath ?? ''}`,
    repeatable: details.numShrinks > 0
  }
}

/**
 * fast-check shortens lists from their front: what follows the request that failed goes here, and what precedes it
 * where it fails alone.
 */
async function withoutTheRest (attacker: Attacker, session: Session, { signature, index }: Fault): Promise<Session> {
  if (session.together || index === undefined) return session
  for (const from of [index, 0]) {
    const shorter = { ...session, requests: session.requests.slice(from, index + 1) }
    if ((await confirmed(attacker, shorter))?.signature === signature) return shorter
  }
  return session
}

/** Time is a fault only where it is lost each time: other programs run on this machine. */
export async function confirmed (attacker: Attacker, session: Session): Promise<Fault | undefined> {
  const run = async (): Promise<Fault | undefined> => await (await attacker.attack()).run(session)
  const fault = await run()
  if (fault === undefined || !isLate(fault)) return fault
  for (let time = 0; time < 2; time++) {
    const again = await run()
    if (again !== undefined && isLate(again)) continue
    const { statistics } = await attacker.attack()
    statistics.notRepeated.push(fault.what)
    return undefined
  }
  return fault
}

const isLate = ({ signature }: Fault): boolean => signature === 'slow' || signature.startsWith('no response')

/** Repeats one run of fast-check: `seed:path`. */
export async function replay (options: AttackOptions, text: string): Promise<Found | undefined> {
  const [seed, path] = [text.split(':', 1)[0], text.slice(text.indexOf(':') + 1)]
  const attacker = new Attacker(options)
  try {
    return await checkBatch(
      attacker,
      Number(seed),
      new Set(),
      undefined,
      path === '' || !text.includes(':') ? undefined : path
    )
  } finally {
    await attacker.end()
  }
}

/**
 * A history of changes and a few caches may fill up, and functions are compiled, for a long time: bytes above the first
 * thousand requests that this may cost.
 */
const mayFill = 24 * 2 ** 20

/**
 * Memory is back at its level when what is reachable after the last request is no more than 24 MiB above what was
 * reachable after the first thousand, and no more than an eighth above what was reachable half-way: what is bounded
 * comes to an end, and what leaks does not.
 */
function growth ({ memory, requests }: Statistics): Fault | undefined {
  const [first] = memory
  const last = memory.at(-1)
  if (first === undefined || last === undefined) return undefined
  const halfWay = memory.find(each => each.requests >= requests / 2) ?? last
  if (last.bytes <= first.bytes + mayFill && last.bytes <= halfWay.bytes * 9 / 8) return undefined
  return {
    what: `memory: ${memory.map(({ requests, bytes }) => `${(bytes / 2 ** 20).toFixed(1)} MiB after ${requests}`).join(', ')}`,
    signature: 'memory',
    request: undefined
  }
}
