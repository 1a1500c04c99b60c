/** The jobs of an application as other packages know them, who do not import this one. */
import type { BackgroundJobs, FailedJobEntry, JobQueue } from '@fastback/core/remote'
import type { EventsContext } from '../events-context.js'
import type { JobRegistry } from './job-registry.js'

/** @param delivers what the application wants to be delivered by jobs */
export function backgroundJobs (
  jobs: JobRegistry, { engine }: EventsContext, delivers: readonly string[]
): BackgroundJobs {
  const isQueue = (name: string): boolean => jobs.names.includes(name)
  return {
    delivers: new Set(delivers),
    send: async (name, data, sendOptions) => await jobs.send(name, data, sendOptions),
    queues: async () => await Promise.all(jobs.names.map(async (name): Promise<JobQueue> => {
      const [counts, schedule] = await Promise.all([engine.counts(name), engine.scheduled(name)])
      return { name, ...counts, schedule }
    })),
    async failed (queue, limit): Promise<FailedJobEntry[] | undefined> {
      if (!isQueue(queue)) return undefined
      const found = await engine.failed(queue, limit)
      return jobs.isSecret(queue) ? found.map(job => ({ ...job, data: undefined })) : found
    },
    retry: async (queue, id) => isQueue(queue) && await engine.retry(queue, id),
    discard: async (queue, id) => isQueue(queue) && await engine.discard(queue, id)
  }
}
