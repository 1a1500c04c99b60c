/** Histories of up to five replicas: after the line is back all agree, and nothing is lost unsaid (SYD-20, SYD-22). */
import fc from 'fast-check'
import { Replica } from './replicas.js'
import type { Loose, Served } from './support.js'

export type Step =
  | { kind: 'write', who: number, id: number, title: string }
  | { kind: 'delete', who: number, id: number }
  | { kind: 'push', who: number, isCut: boolean }
  | { kind: 'pull', who: number, limit: number }
  | { kind: 'server', id: number, isGone: boolean }

const who = fc.nat(4)
const id = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), who, id, title: fc.string({ maxLength: 3 }) }),
  fc.record({ kind: fc.constant('delete' as const), who, id }),
  fc.record({ kind: fc.constant('push' as const), who, isCut: fc.boolean() }),
  fc.record({ kind: fc.constant('pull' as const), who, limit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('server' as const), id, isGone: fc.boolean() })
)
/** What several do at the same time. */
export const history = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 12 })

let histories = 0

/** @throws Error that says what was lost, or who does not agree */
export async function run (served: Served, rounds: Step[][]): Promise<void> {
  const { Note } = served.models
  // Rows of their own for each history: nothing is made anew for it.
  const prefix = `h${String(histories++)}-`
  const replicas = Array.from({ length: 5 }, (_, i) => new Replica(`${prefix}${String(i)}`, served))
  let count = 0
  const doStep = async (step: Step): Promise<void> => {
    const replica = replicas['who' in step ? step.who : 0] as Replica
    switch (step.kind) {
      case 'write': {
        const title = `${step.title}#${String(count++)}`
        replica.write(`${prefix}${String(step.id)}`, title)
        return
      }
      case 'delete': { replica.write(`${prefix}${String(step.id)}`, undefined); return }
      case 'push': { await replica.push(step.isCut); return }
      case 'pull': { await replica.pull(step.limit); return }
      case 'server': {
        const id = `${prefix}${String(step.id)}`
        if (step.isGone) await Note.destroyAll({ id })
        else await Note.updateAll({ id }, { title: `server#${String(count++)}` })
      }
    }
  }
  const tasks = new Map<Replica, Promise<void>>()
  for (const round of rounds) {
    // One replica does one thing after the other; several work at once.
    await Promise.all(round.map(async step => {
      const replica = replicas['who' in step ? step.who : 0] as Replica
      const task = (tasks.get(replica) ?? Promise.resolve()).then(async () => { await doStep(step) })
      tasks.set(replica, task)
      await task
    }))
  }
  // The line is back: what is pending goes up, then all pull.
  for (const replica of replicas) while (replica.pending.size > 0) await replica.push(false)
  for (const replica of replicas) await replica.pull(1000)
  const stored = new Map((await Note.find({ where: { id: { like: `${prefix}%` } } })).map(({ id, title }: Loose) => [id, title]))
  for (const replica of replicas) {
    const rows = [...replica.rows].filter(([id]) => id.startsWith(prefix))
    const own = new Map(rows.map(([id, { data }]) => [id, data.title]))
    const same = own.size === stored.size && [...stored].every(([id, title]) => own.get(id as string) === title)
    if (!same) throw new Error(`${replica.name} has ${JSON.stringify([...own])}, the server ${JSON.stringify([...stored])}`)
  }
  mustBeAccounted(served, replicas)
  await Note.destroyAll({ id: { like: `${prefix}%` } })
}

/**
 * Every write that was sent came to the server's rows at some time, or its replica was told that it is a conflict. What
 * a replica wrote over before it sent it is its own affair. Chains of revisions see to the rest: a write that came to
 * the server can only go by one that was made upon it.
 */
function mustBeAccounted (served: Served, replicas: readonly Replica[]): void {
  const reached = served.models.Note.reached as ReadonlySet<string>
  for (const { name, sent, conflicts } of replicas) {
    for (const { id, title } of sent) {
      const isReported = conflicts.some(conflict => conflict.id === id && conflict.title === title)
      const isWritten = reached.has(`${id} ${title}`)
      if (isReported !== isWritten) continue
      const what = isWritten ? 'told as a conflict, and written' : 'lost, and not reported'
      throw new Error(`${name} wrote "${title}" to ${id}: ${what}`)
    }
  }
}
