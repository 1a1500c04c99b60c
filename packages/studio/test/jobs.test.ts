/** Background jobs in the studio: counts, those that failed, and who may see and change them. */
import t from 'tap'
import { backgroundJobsIn } from '@fastback/core/remote'
import { application } from './helpers/application.js'

const { app, get, post, ann, root } = await application(t)

t.test('an application without jobs', async t => {
  t.equal((await get('/studio/activity.json')).body.jobs, false)
  const { status, body } = await get('/studio/activity/jobs.json')
  t.equal(status, 404)
  t.match(body, { error: { code: 'NO_JOBS' } })
})

t.test('an application with jobs', async t => {
  const calls: string[] = []
  const next = new Date('2030-01-01T08:00:00Z')
  const failedAt = new Date('2029-12-31T08:00:00Z')
  const counts = { waiting: 1, delayed: 2, active: 3, completed: 4, failed: 5 }
  backgroundJobsIn(app.registry).by = {
    delivers: new Set(),
    send: async () => undefined,
    queues: async () => [
      { name: 'mail', ...counts }, { name: 'remind', ...counts, schedule: { cron: '0 8 * * *', timeZone: 'UTC', next } }
    ],
    failed: async (queue, limit) => queue !== 'mail'
      ? undefined
      : [{ id: '7', data: { password: 'verysecret', to: 'a'.repeat(5000), limit }, attempts: 4, failedAt, reason: 'no line' }],
    retry: async (queue, id) => calls.push(`retry ${queue} ${id}`) > 0,
    discard: async (queue, id) => calls.push(`discard ${queue} ${id}`) > 100
  }
  const failedPath = '/studio/activity/jobs/mail/failed.json'
  const changes = ['/studio/activity/jobs/mail/7/retry', '/studio/activity/jobs/mail/7%2F..%2F8/discard']

  await t.test('are listed, with secrets masked', async t => {
    t.equal((await get('/studio/activity.json')).body.jobs, true)
    t.strictSame((await get('/studio/activity/jobs.json')).body, {
      queues: [
        { name: 'mail', ...counts },
        { name: 'remind', ...counts, schedule: { cron: '0 8 * * *', timeZone: 'UTC', next: next.getTime() } }
      ]
    })
    const { body, text } = await get(failedPath)
    t.match(body.jobs, [{ id: '7', attempts: 4, at: failedAt.getTime(), reason: 'no line' }])
    t.notMatch(text, /verysecret/)
    t.ok(body.jobs[0].data.length <= 2000)
    t.equal((await get('/studio/activity/jobs/other/failed.json')).status, 404)
  })

  await t.test('are tried again and discarded', async t => {
    t.strictSame((await post(changes[0] as string, {})).body, { changed: true })
    t.strictSame((await post(changes[1] as string, {})).body, { changed: false })
    t.strictSame(calls.splice(0), ['retry mail 7', 'discard mail 7/../8'])
  })

  await t.test('are for administrators, and for who develops the application', async t => {
    const outside = { host: 'app.example', 'content-type': 'application/json' }
    for (const [headers, status] of [
      [outside, 401], [{ ...outside, authorization: ann.token }, 403], [{ ...outside, authorization: root.token }, 200],
      [{ ...outside, authorization: root.token, origin: 'https://other.example' }, 200]
    ] as const) {
      for (const url of ['/studio/activity/jobs.json', failedPath]) t.equal((await get(url, headers)).status, status, url)
    }
    const strangers: Array<Record<string, string>> = [
      outside, { ...outside, authorization: ann.token }, { ...outside, authorization: root.token, origin: 'https://other.example' },
      { host: 'localhost:3000', origin: 'https://other.example' }, { host: 'localhost:3000', 'content-type': 'text/plain' }
    ]
    for (const headers of strangers) {
      for (const url of changes) {
        const { status } = await post(url, {}, headers)
        t.ok(status === 401 || status === 403 || status === 415, `${url} ${status}`)
      }
    }
    t.strictSame(calls, [], 'nothing was changed')
    t.equal((await post(changes[0] as string, {}, { ...outside, authorization: root.token })).status, 200)
  })
})
