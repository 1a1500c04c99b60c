/** Background jobs: how many there are, and those that failed. */
import { RequestError, type ModelRegistry } from '@fastback/core'
import { backgroundJobsIn, maskText, type BackgroundJobs, type FailedJobEntry } from '@fastback/core/remote'
import type { FailedJobActivity, FailedJobs, JobActivity, JobChanged } from '@fastback/ui/contracts'
import type { FastifyInstance } from 'fastify'
import { sendJson } from '../respond.js'

/** Jobs of a list. */
const mostListed = 100
/** Characters of a job's data. */
const mostText = 2000

interface OfQueue { Params: { queue: string } }
interface OfJob { Params: { queue: string, id: string } }

export function addJobRoutes (app: FastifyInstance, registry: ModelRegistry): void {
  const jobs = (): BackgroundJobs => {
    const { by } = backgroundJobsIn(registry)
    if (by === undefined) throw new RequestError(404, 'The application has no background jobs', { code: 'NO_JOBS' })
    return by
  }
  app.get('/activity/jobs.json', async (_request, reply) => sendJson(reply, await activityOf(jobs())))
  app.get<OfQueue>('/activity/jobs/:queue/failed.json', async ({ params: { queue } }, reply) => {
    const failed = await jobs().failed(queue, mostListed)
    if (failed === undefined) throw new RequestError(404, 'There is no such queue', { code: 'QUEUE_NOT_FOUND' })
    const list: FailedJobs = { jobs: failed.map(shown) }
    return sendJson(reply, list)
  })
  for (const change of ['retry', 'discard'] as const) {
    app.post<OfJob>(`/activity/jobs/:queue/:id/${change}`, async ({ params: { queue, id } }, reply) => {
      const result: JobChanged = { changed: await jobs()[change](queue, id) }
      return sendJson(reply, result)
    })
  }
}

async function activityOf (jobs: BackgroundJobs): Promise<JobActivity> {
  const queues = await jobs.queues()
  return {
    queues: queues.map(({ schedule, ...counts }) => ({
      ...counts,
      ...(schedule === undefined
        ? {}
        : {
            schedule: {
              cron: schedule.cron,
              timeZone: schedule.timeZone,
              ...(schedule.next === undefined ? {} : { next: schedule.next.getTime() })
            }
          })
    }))
  }
}

const shown = ({ id, data, attempts, failedAt, reason }: FailedJobEntry): FailedJobActivity => ({
  id,
  attempts,
  reason,
  at: failedAt.getTime(),
  ...(data === undefined ? {} : { data: maskText(JSON.stringify(data)).slice(0, mostText) })
})
