/** Tells what the stores of a registry were asked while some work was done, and how they answered it. */
import { observeReads } from '../data-source/observable-connector.js'
import { Inside } from '../data-source/inside.js'
import type { Recorder } from '../data-source/recorded-reads.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { QueryReport } from './report.js'
import { Recording } from './recording.js'
import { reportOf } from './report-of.js'
import type { StoreRead } from '../data-source/explanation.js'

/** What a store is asked within. */
interface Place {
  readonly recording: Recording
  readonly read: StoreRead | undefined
}

const kExplainer = Symbol('fastback.explainer')

/**
 * The stores of a registry are listened to only while somebody explains; what others ask of them meanwhile is told
 * apart by its asynchronous context.
 */
class Explainer {
  readonly #inside = new Inside<Place>()
  #explaining = 0
  #stops: Array<() => void> = []

  constructor (readonly registry: ModelRegistry) {}

  async run<T> (recording: Recording, work: () => MaybePromise<T>): Promise<T> {
    if (this.#explaining++ === 0) this.#listen(true)
    try {
      return await this.#inside.run({ recording, read: undefined }, work)
    } finally {
      if (--this.#explaining === 0) this.#listen(false)
    }
  }

  #listen (listens: boolean): void {
    for (const stop of this.#stops.splice(0)) stop()
    if (!listens) return
    this.#stops = Object.entries(this.registry.dataSources).map(([name, { connector }]) =>
      observeReads(connector, this.#recorder(name, connector.observed !== undefined)))
  }

  /** @param sends whether the connector sends requests of its own, which are what is told of then */
  #recorder (dataSource: string, sends: boolean): Recorder {
    const inside = this.#inside
    return {
      read (read, work) {
        const place = inside.current
        if (place === undefined) return work()
        const within = (): ReturnType<typeof work> => inside.run({ ...place, read }, work)
        return sends ? within() : place.recording.of({ dataSource, read, statement: undefined }, within)
      },
      request (request, work) {
        const place = inside.current
        const { sql, params = [] } = request as { readonly sql?: unknown, readonly params?: readonly unknown[] }
        if (place === undefined || typeof sql !== 'string') return work(request)
        const statement = { sql, params }
        return place.recording.of({ dataSource, read: place.read, statement }, () => work(request))
      }
    }
  }
}

/**
 * Does some work, and tells of everything that its stores were asked for it: the statements with their plans, the rows
 * that were read, which index is missing. Stores are asked for plans when the work is done. Nothing is paid for this by
 * anyone while nobody explains.
 *
 * ```js
 * const { result, report } = await explainWork(app.registry, { where: { city: 'Rome' } }, () =>
 *   findRows(Note.compiled, { where: { city: 'Rome' } }), rows => rows.length)
 * report.missingIndexes[0]?.definition // '"indexes": { "city_1": { "keys": { "city": 1 } } }'
 * ```
 * @param filter whose values may be shown; of all others there is only the type
 * @param rowsOf how many rows the result has
 */
export async function explainWork<T> (
  registry: ModelRegistry, filter: unknown, work: () => MaybePromise<T>, rowsOf: (result: T) => number
): Promise<{ readonly result: T, readonly report: QueryReport }> {
  const explainer = registry.slot(kExplainer, () => new Explainer(registry))
  const recording = new Recording()
  const began = performance.now()
  const { result, milliseconds } = await explainer.run(recording, () =>
    chain(work(), result => ({ result, milliseconds: performance.now() - began })))
  const report = await reportOf(registry, recording, filter, { rows: rowsOf(result), milliseconds })
  return { result, report }
}
