/** What the application does now, and did in its last requests. */
import { RequestError } from '@fastback/core'
import { backgroundJobsIn, measuresOf, type MeasureName } from '@fastback/core/remote'
import type { Activity, RequestDetail, RequestList } from '@fastback/ui/contracts'
import { Type, type Static } from '@sinclair/typebox'
import type { PartRoutes } from '../context.js'
import { given, sendJson } from '../respond.js'
import { hintsFor } from './hints.js'
import { addJobRoutes } from './job-routes.js'
import { plansOf } from './plans.js'
import { recorderOf } from './record.js'
import type { Recorder } from './recorder.js'

const Word = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const YesNo = Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')]))

const ListQuery = Type.Object({
  slow: YesNo,
  /** A status, or its first digit. */
  status: Type.Optional(Type.String({ pattern: '^[0-9]{1,3}$' })),
  model: Word,
  /** Only those after this one. */
  after: Word
})
const DetailQuery = Type.Object({ plan: YesNo })

export const activityRoutes: PartRoutes = (app, { registry }) => {
  const recorder = recorderOf(registry)
  if (recorder === undefined) return
  app.get('/activity.json', async (_request, reply) => sendJson(reply, activityOf(recorder)))
  app.get('/activity/requests.json', async (request, reply) =>
    sendJson(reply, listOf(recorder, given(ListQuery, request.query))))
  app.get<{ Params: { id: string } }>('/activity/requests/:id.json', async (request, reply) => {
    const { plan } = given(DetailQuery, request.query)
    return sendJson(reply, await detailOf(recorder, request.params.id, plan === 'true'))
  })
  addJobRoutes(app, registry)
  for (const [path, recording] of [['/activity/pause', false], ['/activity/resume', true]] as const) {
    app.post(path, async (_request, reply) => {
      recorder.recording = recording
      return sendJson(reply, { recording })
    })
  }
}

function activityOf ({ registry, seconds, inFlight, recording, options: { slow, capacity } }: Recorder): Activity {
  const measures = measuresOf(registry)
  const sum = (name: MeasureName): number => [...measures.read(name).values()].reduce((all, value) => all + value, 0)
  return {
    seconds: seconds.list,
    now: {
      uptime: Math.round(performance.now()),
      inFlight,
      openStreams: sum('openStreams'),
      hashesRunning: sum('hashesRunning'),
      hashesWaiting: sum('hashesWaiting'),
      pushWaiting: sum('pushWaiting'),
      pools: Object.entries(registry.dataSources).flatMap(([dataSource, { connector }]) => {
        const usage = connector.poolUsage?.()
        return usage === undefined ? [] : [{ dataSource, used: usage.used, size: usage.size, waiting: usage.waiting }]
      })
    },
    jobs: backgroundJobsIn(registry).by !== undefined,
    recording,
    slow,
    capacity
  }
}

function listOf (recorder: Recorder, { slow, status, model, after }: Static<typeof ListQuery>): RequestList {
  const kept = recorder.requests
  const from = after === undefined || !recorder.isOfThisRun(after) ? -1 : kept.findIndex(({ id }) => id === after)
  const requests = kept.slice(from + 1).toReversed().flatMap(({ summary }) => summary === undefined ? [] : [summary])
  return {
    requests: requests.filter(each =>
      (slow !== 'true' || each.marks.includes('slow')) &&
      (status === undefined || String(each.status).startsWith(status)) &&
      (model === undefined || each.model === model))
  }
}

/** @throws RequestError 404 for a request that is not kept any more */
async function detailOf (recorder: Recorder, id: string, withPlans: boolean): Promise<RequestDetail> {
  const record = recorder.requests.find(each => each.id === id)
  if (record?.summary === undefined) throw new RequestError(404, 'That request is not kept any more', { code: 'REQUEST_NOT_KEPT' })
  const plans = withPlans ? await plansOf(recorder.registry, record) : undefined
  return {
    ...record.summary,
    spans: record.spans,
    left: record.left,
    hints: hintsFor(record),
    ...plans === undefined ? {} : { plans }
  }
}
