/** Rules that are only tried: `"enforce": false`, and the setting `enforceRows`. */
import t from 'tap'
import { measuresOf } from '@fastback/core/remote'
import { call, makeApp, row, type App } from './app.js'

type Loose = any

async function notes (test: Loose, acls: object[], model: object = {}): Promise<{ app: App, tried: Loose[] }> {
  const app = await makeApp(test, {
    definitions: [{
      name: 'Note', properties: { text: 'string', ownerId: 'number', secret: 'string' }, acls: acls as never, ...model
    }],
    prepare: async ({ Note, User }: Loose) => {
      await Note.create([{ ownerId: 1, text: 'a' }, { ownerId: 2, text: 'b' }])
      await User.updateAll({ id: 1 }, { realm: 'a' })
    }
  })
  const tried: Loose[] = []
  ;(app as Loose).registry.on('audit', (event: Loose) => {
    if (event.event === 'acl.shadow') tried.push(`${event.method} ${event.would as string}`)
  })
  return { app, tried }
}

const own = { rows: { ownerId: '$user.id' } }
const statusOf = async (
  app: App, who: string | undefined, method: string, url: string, body?: object
): Promise<number> =>
  (await call(app, who, method, url, body)).status

t.test('a rule with "enforce": false counts as if it were not there, and is told', async t => {
  const { app, tried } = await notes(t, [
    row('DENY', '$everyone', { property: 'deleteById', enforce: false }),
    row('DENY', '$authenticated', { accessType: 'READ', rows: { ownerId: 2 }, enforce: false })
  ])
  t.equal((await call(app, 'ann', 'GET', '/Notes')).body.length, 2)
  t.equal(await statusOf(app, 'ann', 'GET', '/Notes/1'), 200)
  t.equal(await statusOf(app, 'ann', 'GET', '/Notes/2'), 200)
  t.equal(await statusOf(app, undefined, 'GET', '/Notes/2'), 200)
  t.equal(await statusOf(app, 'ann', 'GET', '/Notes/77'), 404)
  t.equal(await statusOf(app, 'ann', 'DELETE', '/Notes/1'), 200)
  t.same(tried, ['find narrow', 'findById hide', 'deleteById refuse'])
  const measured = measuresOf((app as Loose).registry).read('rulesTried')
  t.same(Object.fromEntries(measured), { refuse: 1, allow: 0, hide: 1, narrow: 1 })
})

t.test('a new rule that allows opens nothing while it is tried', async t => {
  const { app, tried } = await notes(t, [
    row('DENY', '$everyone'), row('ALLOW', '$authenticated', { ...own, enforce: false })
  ])
  t.equal(await statusOf(app, 'ann', 'GET', '/Notes'), 401)
  t.same(tried, ['find allow'])
})

t.test('"enforceRows": false leaves rules as they are without rows and fields', async t => {
  const { app, tried } = await notes(t, [
    row('DENY', '$everyone'), row('ALLOW', '$authenticated', { ...own, fields: { read: ['text'] } })
  ], { enforceRows: false })
  t.equal((await call(app, 'ann', 'GET', '/Notes')).body.length, 2)
  t.equal((await call(app, 'ann', 'GET', '/Notes/1')).body.ownerId, 1)
  t.equal(await statusOf(app, 'ann', 'PATCH', '/Notes/2', { text: 'x' }), 200)
  t.equal(await statusOf(app, undefined, 'GET', '/Notes'), 401)
  t.same(tried, ['find narrow', 'prototype.patchAttributes hide'])
})

t.test('so does a tenant', async t => {
  const { app, tried } = await notes(t, [], { enforceRows: false, tenant: { property: 'text', value: '$user.realm' } })
  t.equal((await call(app, 'ben', 'GET', '/Notes')).body.length, 2)
  t.equal(await statusOf(app, 'ann', 'GET', '/Notes/1'), 200)
  t.equal(await statusOf(app, 'ann', 'GET', '/Notes/2'), 200)
  t.same(tried, ['find narrow', 'findById hide'])
})
