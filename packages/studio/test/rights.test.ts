/** The studio's matrix of rights, its explanations, and what other rules would change. */
import t from 'tap'
import { application, denied, toAdmins, toUsers } from './helpers/application.js'

const { get, post, ann, root, app } = await application(t)

t.test('the matrix has a line for each method and kind of caller, and the rules that say so', async t => {
  const { status, body } = await get('/studio/rights.json')
  t.equal(status, 200)
  t.equal(body.enforced, true)
  t.same(body.roles, ['$everyone', '$authenticated', '$owner', 'admin'])
  const note = body.models.find((each: any) => each.model === 'Note')
  const find = note.lines.filter((line: any) => line.method === 'find')
  t.match(find, [{ role: '$authenticated', rows: 'own', read: ['*'] }, { role: 'admin', rows: 'all' }])
  t.match(note.rules[0], { rule: denied })
  t.notOk('source' in note.rules[0], 'an application in code has no files')
})

t.test('why a caller may or may not', async t => {
  const anonymous = await get('/studio/rights/why.json?model=Note&method=find')
  t.match(anonymous.body, { allowed: false, permission: 'DENY', method: 'Note.find', rule: { rule: denied } })
  const own = await get(`/studio/rights/why.json?model=Note&method=find&user=${String(ann.id)}`)
  t.match(own.body, { allowed: true, rows: { action: 'read', where: { ownerId: ann.id }, read: ['*'] } })
  const admin = await get(`/studio/rights/why.json?model=Note&method=deleteById&id=1&user=${String(root.id)}`)
  t.match(admin.body, { allowed: true, reason: 'ALLOW for ROLE admin' })
  t.ok(admin.body.considered.length > 0)
})

t.test('what cannot be asked is a 4xx', async t => {
  for (const [url, status] of [
    ['/studio/rights/why.json?model=Nothing&method=find', 404],
    ['/studio/rights/why.json?model=__proto__&method=find', 404],
    ['/studio/rights/why.json?model=constructor&method=find', 404],
    ['/studio/rights/why.json?model=../../etc/passwd&method=find', 404],
    ['/studio/rights/why.json?model=Note&method=nothing', 404],
    ['/studio/rights/why.json?model=Note', 400],
    ['/studio/rights/why.json?model=Note&model=Visit&method=find', 400],
    [`/studio/rights/why.json?model=Note&method=${'x'.repeat(300)}`, 400]
  ] as const) {
    const response = await get(url)
    t.equal(response.status, status, url)
    t.match(response.body, { error: { statusCode: status, message: String } })
    t.notMatch(response.text, /\/work\/|node_modules|at .*\(/, 'no stack')
  }
})

t.test('other rules: the lines that change, and whose rows come and go', async t => {
  const before = await get('/studio/rights.json')
  const opened = await post('/studio/rights/what-if', {
    model: 'Note', user: String(ann.id), rules: [denied, { ...toUsers, accessType: 'READ' }, toAdmins]
  })
  t.equal(opened.status, 200)
  const find = opened.body.changed.find((line: any) => line.method === 'find' && line.role === '$authenticated')
  t.match(find, { before: { rows: 'own' }, after: { rows: 'all' } })
  t.match(opened.body.rows, { before: 4, after: 12, gained: { count: 8 }, lost: { count: 0, rows: [] } })
  t.match(opened.body.rows.gained.rows[0], { id: 5, title: 'Note 5' })
  t.match(JSON.parse(opened.body.json).acls.length, 3)
  t.notMatch(opened.text, 'hidden-default', 'hidden values title nothing')
  const narrowed = await post('/studio/rights/what-if', {
    model: 'Note', user: String(root.id), rules: [denied, { ...toAdmins, rows: { city: 'Rome' } }]
  })
  t.match(narrowed.body.rows, { before: 12, after: 6, gained: { count: 0 }, lost: { count: 6 } })
  t.equal(narrowed.body.rows.lost.rows.length, 6)
  const shut = await post('/studio/rights/what-if', { model: 'Note', user: String(ann.id), rules: [denied] })
  t.match(shut.body.rows, { before: 4, after: 0, lost: { count: 4 } })
  t.same((await get('/studio/rights.json')).body, before.body, 'nothing was changed')
  const list = await app.inject({ url: '/api/Notes', headers: { authorization: ann.token } })
  t.equal((list.json() as unknown[]).length, 4)
})

t.test('rules that cannot be meant are told, and bodies that cannot be read are refused', async t => {
  const faulty = await post('/studio/rights/what-if', {
    model: 'Note', rules: [{ principalType: 'ROL', principalId: '$everyone', permission: 'ALLOW', rows: { nothing: 1 } }]
  })
  t.match(faulty.body.faults, [{ rule: 0, key: 'principalType' }, { rule: 0, key: 'rows' }])
  for (const payload of [
    { model: 'Note' }, { model: 'Note', rules: 'all' }, { model: 'Note', rules: [1] }, { model: 1, rules: [] },
    { model: 'Note', rules: [], more: true }, { model: 'Note', rules: Array.from({ length: 501 }, () => ({})) }
  ]) t.equal((await post('/studio/rights/what-if', payload)).status, 400, JSON.stringify(payload).slice(0, 60))
  t.equal((await post('/studio/rights/what-if', { model: '../secret', rules: [] })).status, 404)
})

t.test('an administrator sees the lines, and no rows past the own rights', async t => {
  const payload = { model: 'Note', rules: [{ ...toUsers }] }
  const headers = { host: 'example.com', authorization: root.token }
  const { status, body } = await post('/studio/rights/what-if', payload, headers)
  t.equal(status, 200)
  t.ok(body.changed.length > 0)
  t.notOk('rows' in body)
  t.match(body.withoutRows, /develops/)
  const cross = { ...headers, origin: 'https://other.example' }
  t.equal((await post('/studio/rights/what-if', payload, cross)).status, 403, 'of another origin')
})
