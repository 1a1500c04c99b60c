/** Other processes of `fastback serve --workers`, and what they measure. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { BusDriver, BusDriverFactory, BusLog } from '@fastback/core/bus'

/** What a process says: that it is there, or leaves; that it wants to know, or what it knows. */
type Said = { readonly from: string } & (
  | { readonly say: 'hello' | 'here' | 'bye' }
  | { readonly say: 'ask', readonly question: string }
  | { readonly say: 'answer', readonly question: string, readonly answer: unknown }
)

interface Question { readonly answers: Map<string, unknown>, readonly done: () => void }

/** Milliseconds that others have to say that they are here. */
const greeting = 250

/** Milliseconds that others may take: one that was killed says nothing, and does not leave. */
const patience = 1000

/**
 * The processes that one first process has started, as one of them sees them: it knows who is there, and asks all.
 *
 * ```js
 * const workers = new Workers(registry.busDrivers.get('cluster'), registry.log, async () => await measure())
 * const others = await workers.gather()
 * ```
 */
export class Workers {
  readonly #me = randomUUID()
  readonly #others = new Set<string>()
  readonly #questions = new Map<string, Question>()
  readonly #answer: () => Promise<unknown>
  readonly #log: BusLog
  readonly #driver: Promise<BusDriver>
  readonly #joined: Promise<void>

  /** @param answer what this process has for others */
  constructor (factory: BusDriverFactory, log: BusLog, answer: () => Promise<unknown>) {
    this.#answer = answer
    this.#log = log
    const context = { namespace: 'fastback metrics', baseDir: '.', log, connector: () => undefined }
    this.#driver = (async () => await factory(true, context))()
    this.#joined = this.#join()
    // Anyone who gathers hears of it.
    this.#joined.catch(() => {})
  }

  async #join (): Promise<void> {
    const driver = await this.#driver
    await driver.connect({ receive: text => { this.#hear(JSON.parse(text) as Said) }, gap () {}, lost () {} })
    await this.#say({ from: this.#me, say: 'hello' })
    await wait(greeting)
  }

  async #say (said: Said): Promise<void> {
    await (await this.#driver).send([JSON.stringify(said)])
  }

  #hear (said: Said): void {
    const { from, say } = said
    if (say === 'bye') this.#forget(from)
    else this.#others.add(from)
    if (say === 'hello') this.#tell({ from: this.#me, say: 'here' })
    if (say === 'ask') this.#reply(said.question).catch(this.#failed)
    if (say === 'answer') {
      const question = this.#questions.get(said.question)
      question?.answers.set(from, said.answer)
      question?.done()
    }
  }

  async #reply (question: string): Promise<void> {
    await this.#say({ from: this.#me, say: 'answer', question, answer: await this.#answer() })
  }

  #forget (other: string): void {
    this.#others.delete(other)
    for (const { done } of this.#questions.values()) done()
  }

  #tell (said: Said): void {
    this.#say(said).catch(this.#failed)
  }

  readonly #failed = (error: unknown): void => {
    this.#log.debug({ err: error }, 'another worker could not be told')
  }

  /** What the others have. One that says nothing in time is left out, and not waited for again. */
  async gather (): Promise<unknown[]> {
    await this.#joined
    const id = randomUUID()
    const answers = new Map<string, unknown>()
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve, reject) => {
      const done = (): void => { if ([...this.#others].every(other => answers.has(other))) resolve() }
      timer = setTimeout(() => {
        for (const other of this.#others) if (!answers.has(other)) this.#others.delete(other)
        resolve()
      }, patience)
      this.#questions.set(id, { answers, done })
      this.#say({ from: this.#me, say: 'ask', question: id }).then(done, reject)
    }).finally(() => {
      clearTimeout(timer)
      this.#questions.delete(id)
    })
    return [...answers.values()]
  }

  async close (): Promise<void> {
    await this.#say({ from: this.#me, say: 'bye' }).catch(this.#failed)
    await (await this.#driver).close()
  }
}
