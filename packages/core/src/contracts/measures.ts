/** Numbers that packages keep of an application, for who shows them to operators. */
import type { ModelRegistry } from '../interfaces/model-registry.js'

/**
 * What is measured: streams that clients have open; password hashes that are worked out or wait; answers of a cache and
 * questions that it had none for; messages of push that wait or are on their way, and what became of them; what access
 * rules that are only tried would have changed; calls of what is deprecated, labelled with the method, the property and
 * the client as a list in JSON; attempts of jobs that have ended, labelled with the queue and what became of them as a
 * list in JSON, and the seconds that they took, by queue. The list is closed, and labels are names, never a value of a
 * row.
 */
export type MeasureName =
  | 'openStreams'
  | 'hashesRunning'
  | 'hashesWaiting'
  | 'cacheHits'
  | 'cacheMisses'
  | 'pushWaiting'
  | 'pushDone'
  | 'rulesTried'
  | 'deprecatedCalls'
  | 'jobsEnded'
  | 'jobSeconds'

interface Source { readonly label: string, readonly read: () => number }

/**
 * The measures of one application. A source is read when somebody asks: where nobody does, it costs nothing.
 *
 * ```js
 * const stop = measuresOf(registry).add('openStreams', () => streams.size)
 * measuresOf(registry).read('openStreams') // Map { '' => 2 }
 * ```
 */
export class Measures {
  readonly #sources = new Map<MeasureName, Set<Source>>()

  /**
   * @param label which one of several, such as the name of a cache
   * @returns takes the source away again
   */
  add (name: MeasureName, read: () => number, label = ''): () => void {
    let sources = this.#sources.get(name)
    if (sources === undefined) this.#sources.set(name, sources = new Set())
    const source = { label, read }
    sources.add(source)
    return () => { sources.delete(source) }
  }

  /** By label; several sources with one label are added up. */
  read (name: MeasureName): Map<string, number> {
    const sums = new Map<string, number>()
    for (const { label, read } of this.#sources.get(name) ?? []) sums.set(label, (sums.get(label) ?? 0) + read())
    return sums
  }
}

const kMeasures = Symbol('fastback.measures')

/**
 * The measures of a registry; the same object each time.
 *
 * ```js
 * measuresOf(registry).add('openStreams', () => streams.size)
 * ```
 */
export const measuresOf = (registry: Pick<ModelRegistry, 'slot'>): Measures =>
  registry.slot(kMeasures, () => new Measures())
