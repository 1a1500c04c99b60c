/** The last requests with their spans, marks and plans, the last seconds, and that nothing secret is in them. */
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { application, password } from './helpers/application.js'

const { app, get, post, ann, root } = await application(t, { requests: 50, slow: 10_000 })

const last = async (query = ''): Promise<any> => (await get(`/studio/activity/requests.json${query}`)).body.requests[0]
const detail = async (id: string, query = ''): Promise<any> => (await get(`/studio/activity/requests/${id}.json${query}`)).body

t.test('a request: its route, its caller, its rules, hooks and statements', async t => {
  await app.inject({
    method: 'POST', url: '/api/Notes', payload: { title: 'Hello THERE', ownerId: ann.id }, headers: { authorization: ann.token }
  })
  const summary = await last()
  t.match(summary, {
    method: 'POST', route: '/api/Notes', status: 200, model: 'Note', operation: 'Note.create',
    caller: { userId: String(ann.id) }, marks: []
  })
  t.ok(summary.duration > 0 && summary.statements > 0)
  const { spans, left, hints } = await detail(summary.id)
  t.same([left, hints], [0, []])
  const rule = spans.find((span: any) => span.kind === 'rule')
  t.match(rule, { name: 'Note.create', decision: { allowed: true, rule: { property: 'create' } } })
  const method = spans.findIndex((span: any) => span.kind === 'method')
  const hook = spans.findIndex((span: any) => span.kind === 'hook')
  t.match(spans[hook], { name: 'Note before save', changed: ['slug'], parent: method })
  const insert = spans.find((span: any) => span.operation === 'INSERT')
  t.match(insert, { kind: 'query', name: 'db', text: /^INSERT INTO "?Note/ })
  t.ok(spans.every((span: any) => span.start + span.duration <= summary.duration + 1))
})

t.test('a refused request says which rule refused it', async t => {
  await app.inject('/api/Notes/1')
  const summary = await last()
  t.match(summary, { route: '/api/Notes/:id', status: 401 })
  t.notOk('caller' in summary)
  t.match((await detail(summary.id)).spans, [{ kind: 'rule', decision: { allowed: false, rule: { permission: 'DENY' } } }])
})

t.test('one statement again and again is marked, with what helps', async t => {
  await app.inject('/api/Visits')
  const summary = await last()
  t.same(summary.marks, ['repeated'])
  const { hints, spans } = await detail(summary.id)
  t.match(hints, [{ mark: 'repeated', text: /12 times in Visit loaded.*inq/ }])
  t.equal(spans[hints[0].spans[0]].operation, 'SELECT')
})

t.test('a missing index is found when somebody looks, and the request is marked from then on', async t => {
  await app.inject({ url: '/api/Notes?filter={"where":{"slug":"note 3"}}', headers: { authorization: root.token } })
  const summary = await last()
  t.same(summary.marks, [])
  t.notOk('plans' in await detail(summary.id))
  const { plans, hints } = await detail(summary.id, '?plan=true')
  const plan = plans.find((each: any) => each.text.includes('slug'))
  t.match(plan.plan, [/SCAN/])
  t.match(hints, [{ mark: 'missing index', model: 'Note', definition: /"slug_1": { "keys": { "slug": 1 } }/ }])
  t.same((await last()).marks, ['missing index'])
  await app.inject({ url: '/api/Notes?filter={"where":{"city":"Rome"}}', headers: { authorization: root.token } })
  t.same((await detail((await last()).id, '?plan=true')).hints, [], 'there is one of the city')
})

t.test('slow ones and errors are marked, and lists are filtered', async t => {
  const own = await application(t, { slow: 1, requests: 3 })
  own.app.registry.getModel('Visit').observe('access', async () => { await wait(100) })
  await own.app.inject('/api/Visits/1')
  await own.app.inject('/api/Nothing')
  await own.app.inject('/api/Notes')
  const all = (await own.get('/studio/activity/requests.json')).body.requests
  t.match(all.map((each: any) => each.status), [401, 404, 200])
  t.notOk('route' in all[1] && all[1].route.includes('Nothing'), 'a path that is none is not kept')
  t.match(all[2].marks, ['slow'])
  const { hints } = (await own.get(`/studio/activity/requests/${all[2].id}.json`)).body
  t.match(hints.at(-1), { mark: 'slow', text: /of the hook Visit access/ })
  const ids = async (query: string): Promise<string[]> =>
    (await own.get(`/studio/activity/requests.json?${query}`)).body.requests.map((each: any) => each.id)
  t.same(await ids('slow=true'), all.filter((each: any) => each.marks.includes('slow')).map((each: any) => each.id))
  t.same(await ids('status=4'), [all[0].id, all[1].id])
  t.same(await ids('status=404'), [all[1].id])
  t.same(await ids('model=Note'), [all[0].id])
  t.same(await ids(`after=${all[1].id as string}`), [all[0].id])
  t.same((await ids('after=of-another-run')).length, 3)
  for (const query of ['status=x', 'slow=1', 'status=4&status=5']) {
    t.equal((await own.get(`/studio/activity/requests.json?${query}`)).status, 400, query)
  }
  t.equal((await own.get('/studio/activity/requests/__proto__.json')).status, 404)
})

t.test('it can be paused', async t => {
  t.same((await post('/studio/activity/pause', {})).body, { recording: false })
  const before = await last()
  await app.inject('/api/Notes')
  t.equal((await last()).id, before.id)
  t.equal((await get('/studio/activity.json')).body.recording, false)
  t.same((await post('/studio/activity/resume', {})).body, { recording: true })
  await app.inject('/api/Notes')
  t.not((await last()).id, before.id)
})

t.test('seconds: requests, durations, errors, the process', async t => {
  const deadline = Date.now() + 5_000
  let { body } = await get('/studio/activity.json')
  while (Date.now() < deadline && body.seconds.every((second: any) => second.requests === 0)) {
    await app.inject('/api/Notes')
    await wait(50)
    body = (await get('/studio/activity.json')).body
  }
  const second = body.seconds.find((each: any) => each.requests > 0)
  t.ok(second.clientErrors > 0 || second.requests > 0)
  t.ok(second.p50 <= second.p99 && second.heapUsed > 0 && second.rss > 0 && second.eventLoopUtilization >= 0)
  t.match(body, { recording: true, slow: 10_000, capacity: 50, now: { inFlight: 0, openStreams: 0, pools: Array } })
})

t.test('nothing that a client sent, and nothing that is stored, leaves by it', async t => {
  const secrets: string[] = []
  const secret = (): string => {
    const text = `s3cret${secrets.length}x${Math.random().toString(36).slice(2)}`
    secrets.push(text)
    return text
  }
  const headers = (): Record<string, string> => ({
    'x-header': secret(), cookie: `session=${secret()}`, 'x-request-id': secret(), 'request-id': secret(),
    'user-agent': secret(), origin: `https://${secret()}.example`, 'x-forwarded-for': secret(),
    referer: `https://${secret()}`
  })
  const token = { authorization: root.token }
  await app.inject({ url: `/api/Notes?filter={"where":{"title":"${secret()}"}}&x=${secret()}`, headers: { ...headers(), ...token } })
  await app.inject({ url: `/api/Notes?filter={"where":{"secret":"${secret()}"}}`, headers: { ...headers(), ...token } })
  await app.inject({ url: `/api/Notes/${secret()}`, headers: { ...headers(), ...token } })
  await app.inject({ url: `/${secret()}/${secret()}`, headers: headers() })
  await app.inject({ url: '/api/Notes', headers: { authorization: secret() } })
  await app.inject({ url: `/api/Notes?access_token=${secret()}` })
  const values = { title: secret(), secret: secret(), [secret()]: secret(), city: secret() }
  await app.inject({ method: 'POST', url: '/api/Notes', payload: values, headers: { ...headers(), ...token } })
  await app.inject({ method: 'PATCH', url: '/api/Notes/1', payload: { secret: secret() }, headers: token })
  await app.inject({ method: 'POST', url: '/api/Users/login', payload: { email: `${secret()}@example.com`, password: secret() } })
  await app.inject({ method: 'POST', url: '/api/Users', payload: { email: `${secret().toLowerCase()}@example.com`, password: secret() } })
  await app.inject({ method: 'POST', url: '/api/Users/login', payload: { email: 'ann@example.com', password } })
  const connector = app.registry.dataSources.db?.connector as unknown as { execute: (sql: string) => Promise<unknown> }
  const written = secret()
  app.registry.getModel('Visit').observe('access', async () => {
    await connector.execute(`SELECT title FROM Note WHERE title = '${written}' AND id = 123456789 -- ${written}`)
  })
  await app.inject({ url: `/api/Visits/count?where={"place":"${secret()}"}` })
  secrets.push(password, root.token, ann.token, '123456789', 'hidden-default')
  const texts = [
    (await get('/studio/activity.json')).text, (await get('/studio/activity/requests.json')).text,
    (await get('/studio/definitions.json')).text, (await get('/studio/rights.json')).text
  ]
  const { requests } = JSON.parse(texts[1] as string)
  t.ok(requests.length > 12)
  for (const { id } of requests) texts.push((await get(`/studio/activity/requests/${id as string}.json?plan=true`)).text)
  const all = texts.join('\n')
  t.match(all, 'SELECT title FROM Note WHERE title = ? AND id = ?')
  t.match(all, 'INSERT')
  for (const text of secrets) t.notOk(all.toLowerCase().includes(text.toLowerCase()), `${text} is in no response`)
})
