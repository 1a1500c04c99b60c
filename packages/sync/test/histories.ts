/** Histories of up to five replicas: after the line is back all agree, and nothing is lost unsaid (SYD-20, SYD-22). */
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import type { Site } from './history-sites.js'
import { Replica } from './replicas.js'
import type { Loose } from './support.js'

export type Step =
  | { kind: 'write', who: number, id: number, title: string }
  | { kind: 'delete', who: number, id: number }
  | { kind: 'read', who: number, id: number }
  | { kind: 'push', who: number, isCut: boolean }
  | { kind: 'pull', who: number, limit: number, pages: number }
  | { kind: 'server', who: number, id: number, isGone: boolean }
  | { kind: 'skew', who: number, hours: number }
  | { kind: 'forget', who: number }
  | { kind: 'kill', who: number, after: number }

const who = fc.nat(4)
const id = fc.nat(3)
const title = fc.string({ maxLength: 3 })
/** Two clocks are never further apart than answers to pushes are kept, a week. */
const hours = fc.integer({ min: -72, max: 72 })

const usual: Array<fc.WeightedArbitrary<Step>> = [
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('write' as const), who, id, title }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), who, id }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const), who, id }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('push' as const), who, isCut: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('pull' as const), who, limit: fc.integer({ min: 1, max: 3 }), pages: fc.constantFrom(1, 100)
    })
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('server' as const), who, id, isGone: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('skew' as const), who, hours }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), who }) }
]
const kill: fc.WeightedArbitrary<Step> =
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), who, after: fc.nat(20) }) }

/** What several do at the same time, one such round after the other. */
const historyOf = (steps: Array<fc.WeightedArbitrary<Step>>): fc.Arbitrary<Step[][]> =>
  fc.array(fc.array(fc.oneof(...steps), { minLength: 1, maxLength: 4 }), { maxLength: 12 })
export const history = historyOf(usual)
export const historyWithKills = historyOf([...usual, kill])

/** Pushes of one replica, each of which some others made fail: there are more only where nothing comes to its end. */
const mostTries = 50
let histories = 0

class History {
  // Rows of their own for each history: nothing is made anew for it.
  readonly #prefix = `h${String(process.pid)}-${String(histories++)}-`
  readonly #replicas: Replica[]
  readonly #ofServer = new Set<string>()
  readonly #read: Array<{ id: string, title: string }> = []
  #count = 0

  constructor (readonly site: Site) {
    this.#replicas = Array.from({ length: 5 }, (_, i) => new Replica(`${this.#prefix}${String(i)}`, site, i))
  }

  async run (rounds: Step[][]): Promise<void> {
    const tasks = new Map<Replica, Promise<void>>()
    for (const round of rounds) {
      // One replica does one thing after the other; several work at once.
      await Promise.all(round.map(async step => {
        const replica = this.#replicas[step.who] as Replica
        const task = (tasks.get(replica) ?? Promise.resolve()).then(async () => { await this.#do(step, replica) })
        tasks.set(replica, task)
        await task
      }))
    }
    // The line is back: what is pending goes up, then all pull.
    for (const replica of this.#replicas) {
      for (let tries = 0; replica.pending.size > 0; tries++) {
        if (tries > mostTries) throw new Error(`${replica.name} cannot push`)
        await replica.push(false)
      }
    }
    for (const replica of this.#replicas) {
      for (let tries = 0; !await replica.pull(1000); tries++) {
        if (tries > mostTries) throw new Error(`${replica.name} cannot pull`)
      }
    }
    await this.#mustAgree()
    await this.#mustBeAccounted()
    await this.#clear()
  }

  async #do (step: Step, replica: Replica): Promise<void> {
    const { site } = this
    const id = `${this.#prefix}${String('id' in step ? step.id : '')}`
    switch (step.kind) {
      case 'write': { replica.write(id, `${step.title}#${String(this.#count++)}`); return }
      case 'delete': { replica.write(id, undefined); return }
      case 'read': { await this.#readRow(replica, id); return }
      case 'push': { await replica.push(step.isCut); return }
      case 'pull': { await replica.pull(step.limit, step.pages); return }
      case 'server': { await this.#writeAtServer(step.who, id, step.isGone); return }
      case 'skew': { await site.skew(step.who, step.hours * 3_600_000); return }
      case 'forget': { await site.forget(step.who); return }
      case 'kill': {
        await wait(step.after)
        await site.kill(step.who)
      }
    }
  }

  /** At the server, and at the replica, which sees its own writes first. */
  async #readRow (replica: Replica, id: string): Promise<void> {
    const answer = await this.site.ask(replica.server, { method: 'GET', url: `/Notes/${id}` })
    if (answer?.status === 200) this.#read.push({ id, title: answer.body.title })
    const pending = replica.pending.get(id)
    if (pending !== undefined && replica.get(id)?.title !== pending.data?.title) {
      throw new Error(`${replica.name} does not see its own write of ${id}`)
    }
  }

  async #writeAtServer (server: number, id: string, isGone: boolean): Promise<void> {
    if (isGone) { await this.site.ask(server, { method: 'DELETE', url: `/Notes/${id}` }); return }
    const title = `server#${String(this.#count++)}`
    this.#ofServer.add(title)
    const where = encodeURIComponent(JSON.stringify({ id }))
    await this.site.ask(server, { method: 'POST', url: `/Notes/update?where=${where}`, body: { title } })
  }

  async #find (path: string, where: object): Promise<Loose[]> {
    const filter = encodeURIComponent(JSON.stringify({ where }))
    const answer = await this.site.ask(0, { method: 'GET', url: `/${path}?filter=${filter}` })
    if (answer?.status !== 200) throw new Error(`${path} cannot be read: ${JSON.stringify(answer)}`)
    return answer.body
  }

  async #mustAgree (): Promise<void> {
    const found = await this.#find('Notes', { id: { like: `${this.#prefix}%` } })
    const stored = new Map(found.map(({ id, title }) => [id, title]))
    for (const { rows, name } of this.#replicas) {
      const ownRows = [...rows].filter(([id]) => id.startsWith(this.#prefix))
      const own = new Map(ownRows.map(([id, { data }]) => [id, data.title]))
      const isSame = own.size === stored.size && [...stored].every(([id, title]) => own.get(id as string) === title)
      if (!isSame) throw new Error(`${name} has ${JSON.stringify([...own])}, the server ${JSON.stringify([...stored])}`)
    }
  }

  /**
   * Every write that was sent came to the server's rows at some time, or its replica was told that it is a conflict.
   * What a replica wrote over before it sent it is its own affair. Chains of revisions see to the rest: a write that
   * came to the server can only go by one that was made upon it. And nobody ever saw what nobody wrote.
   */
  async #mustBeAccounted (): Promise<void> {
    const audit = await this.#find('Audits', { note: { like: `${this.#prefix}%` } })
    const reached = new Set(audit.map(({ note, title }) => `${String(note)} ${String(title)}`))
    for (const { name, sent, conflicts } of this.#replicas) {
      for (const { id, title } of sent) {
        const isReported = conflicts.some(conflict => conflict.id === id && conflict.title === title)
        const isWritten = reached.has(`${id} ${title}`)
        if (isReported !== isWritten) continue
        const what = isWritten ? 'told as a conflict, and written' : 'lost, and not reported'
        throw new Error(`${name} wrote "${title}" to ${id}: ${what}`)
      }
    }
    const seen = [...this.#read, ...this.#replicas.flatMap(replica => replica.seen)]
    for (const { id, title } of seen.filter(({ id }) => id.startsWith(this.#prefix))) {
      if (!reached.has(`${id} ${title}`) && !this.#ofServer.has(title)) throw new Error(`nobody wrote "${title}" to ${id}`)
    }
  }

  async #clear (): Promise<void> {
    for (const { id } of await this.#find('Notes', { id: { like: `${this.#prefix}%` } })) {
      await this.site.ask(0, { method: 'DELETE', url: `/Notes/${String(id)}` })
    }
  }
}

/** @throws Error that says what was lost, or who does not agree */
export async function run (site: Site, rounds: Step[][]): Promise<void> {
  await new History(site).run(rounds)
}
