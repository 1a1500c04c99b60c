/** Says which process does work that one of all is enough for. */
import { randomUUID } from 'node:crypto'
import type { DataSource, ModelClass, ModelRegistry } from '@fastback/core'
import { createInstance, findRowById, updateRows } from '@fastback/core/remote'

const modelName = 'FastbackLease'
const quiet = { notify: false }

/** The model of leases, attached when it is first asked for. */
export function leaseModel (registry: ModelRegistry, dataSource: DataSource): ModelClass {
  const known = registry.findModel(modelName)
  if (known !== undefined) return known
  registry.defineModel({
    name: modelName,
    base: 'PersistedModel',
    strict: true,
    idInjection: false,
    properties: {
      id: { type: 'string', id: true, length: 255 },
      holder: { type: 'string', length: 64 },
      until: 'date'
    },
    acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
  })
  return registry.attach(modelName, dataSource.name, { public: false })
}

/**
 * A lease that one holder has at a time. Two may believe to have it where one was stopped for longer than it lasts:
 * what is done under it must be right all the same.
 *
 * ```js
 * const lease = new Lease(leaseModel(registry, dataSource), 'outbox', 10_000)
 * if (await lease.take()) await work()
 * ```
 */
export class Lease {
  readonly #holder = randomUUID()
  #until = 0

  constructor (readonly Model: ModelClass, readonly name: string, readonly duration: number) {}

  /** Takes it, or renews it before its last third. @returns whether this holder has it */
  async take (): Promise<boolean> {
    const now = Date.now()
    if (now < this.#until - this.duration / 3) return true
    const until = now + this.duration
    const { compiled } = this.Model
    const free = { id: this.name, or: [{ holder: this.#holder }, { until: { lte: new Date(now) } }] }
    const { count } = await updateRows(compiled, free, { holder: this.#holder, until: new Date(until) }, quiet)
    const isOurs = count > 0 || await this.#create(until)
    this.#until = isOurs ? until : 0
    return isOurs
  }

  /** Lets others have it at once. */
  async release (): Promise<void> {
    if (this.#until === 0) return
    this.#until = 0
    await updateRows(this.Model.compiled, { id: this.name, holder: this.#holder }, { until: new Date(0) }, quiet)
  }

  async #create (until: number): Promise<boolean> {
    const { compiled } = this.Model
    if (await findRowById(compiled, this.name, undefined, quiet) !== undefined) return false
    try {
      await createInstance(compiled, { id: this.name, holder: this.#holder, until: new Date(until) }, quiet)
      return true
    } catch (error) {
      // Another process was first.
      if ((error as { statusCode?: number }).statusCode === 409) return false
      throw error
    }
  }
}
