/** The jobs of an application as other packages know them, who do not import this one. */
import type { BackgroundJobs, DeferredWork, FailedJobEntry, JobQueue } from '@fastback/core/remote'
import type { EventsContext } from '../events-context.js'
import type { JobRegistry } from './job-registry.js'
import type { JobOptions } from './job-types.js'

/** @param delivers what the application wants to be delivered by jobs */
export function backgroundJobs (
  jobs: JobRegistry, { engine }: EventsContext, delivers: readonly string[]
): BackgroundJobs {
  const isQueue = (name: string): boolean => jobs.names.includes(name)
  return {
    delivers: new Set(delivers),
    define ({ name, run, retryLimit, retryDelays, concurrency, timeout }: DeferredWork) {
      const options: JobOptions = {
        ...(retryLimit === undefined ? {} : { retryLimit }),
        ...(retryDelays === undefined ? {} : { retryDelays }),
        ...(concurrency === undefined ? {} : { concurrency }),
        ...(timeout === undefined ? {} : { timeout })
      }
      jobs.define(name, options, async ({ data }: { readonly data: unknown }) => await run(data))
      return async (data, sendOptions = {}) => { await jobs.send(name, data, sendOptions) }
    },
    queues: async () => await Promise.all(jobs.names.map(async (name): Promise<JobQueue> => {
      const [counts, schedule] = await Promise.all([engine.counts(name), engine.scheduled(name)])
      return { name, ...counts, schedule }
    })),
    failed: async (queue, limit): Promise<FailedJobEntry[] | undefined> =>
      isQueue(queue) ? await engine.failed(queue, limit) : undefined,
    retry: async (queue, id) => isQueue(queue) && await engine.retry(queue, id),
    discard: async (queue, id) => isQueue(queue) && await engine.discard(queue, id)
  }
}
