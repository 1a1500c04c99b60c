/** Who sees what, as a table. */
import t from 'tap'
import { accessSuite } from '@fastback/acl/testing'
import { makeApp, row } from './app.js'

type Loose = any

t.test('a table of who sees what', async t => {
  const app = await makeApp(t, {
    definitions: [{
      name: 'Note',
      properties: { text: 'string', ownerId: 'number' },
      acls: [row('DENY', '$everyone'), row('ALLOW', '$authenticated', { rows: { ownerId: '$user.id' } })]
    }],
    prepare: async ({ Note }: Loose) => { await Note.create([{ ownerId: 1 }, { ownerId: 2 }, { ownerId: 1 }]) }
  })
  const callers = { anonymous: null, ann: { userId: 1 }, ben: { token: app.tokens.ben as string } }
  const before = await app.models.AccessToken.count()
  const results = await accessSuite(app as Loose, {
    callers,
    table: [
      { call: 'GET /api/Notes', anonymous: 401, ann: [3, 1], ben: [2] },
      { call: 'GET /api/Notes/2', ann: 404, ben: { ownerId: 2, secret: undefined } },
      { call: 'PATCH /api/Notes/2', data: { text: 'x' }, ann: 404, ben: { text: 'x' } }
    ]
  })
  for (const { passed, message } of results) t.ok(passed, message)
  t.equal(results.length, 7)
  t.equal(await app.models.AccessToken.count(), before, 'no token stays')
  const wrong = await accessSuite(app as Loose, {
    callers,
    table: [
      { call: 'GET /api/Notes', anonymous: 200, ann: [1], ben: [1, 2] }, { call: 'GET /api/Notes/2', ben: { ownerId: 1 } }
    ]
  })
  t.same(wrong.map(({ passed }) => passed), [false, false, false, false])
  t.match(wrong[0]?.message, /as anonymous: expected 200, got 401. Decided by the rule .*DENY/)
  t.match(wrong[1]?.message, /as ann: expected \[1\], got \[1,3\]. Decided by the rule .*\$user\.id/)
  await t.rejects(accessSuite(app as Loose, { callers, table: [{ call: 'GET /api/Notes', bob: 200 }] }),
    { code: 'FBK_ACL_INVALID_SUITE' })
  await t.rejects(accessSuite(app as Loose, { callers, table: [{ call: '/api/Notes' }] }), { code: 'FBK_ACL_INVALID_SUITE' })
})
