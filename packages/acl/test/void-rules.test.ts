/** Rules that nobody can read, and both names of methods of instances: S-103. */
import t from 'tap'
import { call, makeApp, row, type App } from './app.js'

const properties = { text: 'string', userId: 'number' }
const withCancel = ({ Note }: any): void => {
  Note.prototype.cancel = async () => ({ cancelled: true })
  Note.cancel = async () => ({ cancelled: 'all' })
  Note.remoteMethod('prototype.cancel', { http: { verb: 'post', path: '/cancel' }, returns: { type: 'object', root: true } })
  Note.remoteMethod('cancel', { http: { verb: 'post', path: '/cancel' }, returns: { type: 'object', root: true } })
}
const warnings: string[] = []
const log = Object.fromEntries(['info', 'debug', 'error', 'trace', 'fatal'].map(name => [name, () => {}]))
const listening = { ...log, warn: (_fields: unknown, message: string) => { warnings.push(message) } }

async function notes (test: any, acls: object[], settings: object = { modelDefinitions: 'open' }): Promise<App> {
  warnings.length = 0
  return await makeApp(test, {
    definitions: [{ name: 'Note', properties, acls: acls as never }],
    settings: settings as never,
    log: listening,
    prepare: async models => {
      withCancel(models)
      await models.Note.create({ text: 'one' })
    }
  })
}

t.test('S-103 both names of a method of instances count', async t => {
  const status = async (app: App, url: string): Promise<number> => (await call(app, 'ann', 'POST', url)).status
  for (const property of ['prototype.cancel', ['prototype.cancel'], 'cancel']) {
    const app = await notes(t, [row('DENY', '$everyone', { property: property as never })])
    t.equal(await status(app, '/Notes/1/cancel'), 401, `DENY ${String(property)}`)
    t.equal(await status(app, '/Notes/cancel'), property === 'cancel' ? 401 : 200, 'the method of the class')
  }
  const app = await notes(t, [row('DENY', '$everyone'), row('ALLOW', '$everyone', { property: 'prototype.cancel' })])
  t.equal(await status(app, '/Notes/1/cancel'), 200)
  t.equal(await status(app, '/Notes/cancel'), 401, 'a rule that allows the one does not allow the other')
  for (const property of ['prototype.patchAttributes', 'prototype.updateAttributes']) {
    const other = await notes(t, [row('DENY', '$everyone', { property })])
    t.equal((await call(other, 'ann', 'PATCH', '/Notes/1', { text: 'x' })).status, 401, property)
  }
})

t.test('S-103 so they do in stored rules', async t => {
  const app = await notes(t, [])
  const { ACL } = app.models
  await ACL.create({ model: 'Note', property: 'prototype.cancel', accessType: '*', permission: 'DENY', principalType: 'ROLE', principalId: '$everyone' })
  t.equal((await call(app, 'ann', 'POST', '/Notes/1/cancel')).status, 401)
})

t.test('S-103 a rule that nobody can read grants nothing, and denies the widest it can mean', async t => {
  const status = async (acls: object[]): Promise<number> =>
    (await call(await notes(t, acls), 'ann', 'GET', '/Notes')).status
  const all = row('DENY', '$everyone')
  for (const [name, odd] of Object.entries({
    'a kind of principal': { principalType: 'ROL' },
    'a permission': { permission: 'ALOW' },
    'a kind of access': { accessType: 'REED' },
    'a key': { acessType: 'READ' }
  })) {
    t.equal(await status([all, { ...row('ALLOW', '$authenticated'), ...odd }]), 401, `ALLOW: ${name}`)
    t.ok(warnings.some(each => /Did you mean/.test(each)), `${name} is told`)
  }
  t.equal(await status([{ ...row('DENY', '$everyone'), principalType: 'ROL' }]), 401)
  t.equal(await status([{ permission: 'DENY', principalTyp: 'ROLE', principalId: 'admin' }]), 401)
  t.equal(await status([{ permission: 'DENY', principalType: 'ROLE', principalID: '$everyone' }]), 401)
  t.equal(await status([{ ...row('DENY', '$everyone'), acessType: 'WRITE' }]), 401)
  t.equal(await status([{ ...row('DENY', '$everyone'), propery: 'create' }]), 401)
  t.equal(await status([row('DENY', 'admin')]), 200, 'one that can be read is left alone')
})

t.test('S-103 a stored rule that nobody can read is told, and never wider', async t => {
  const app = await notes(t, [row('DENY', '$everyone')])
  const { ACL } = app.models
  const odd = { model: 'Note', property: '*', accessType: '*', permission: 'ALLOW', principalType: 'ROLE', principalId: '$everyone' }
  await ACL.create({ ...odd, accessType: 'REED' })
  await ACL.create({ ...odd, principalType: 'ROL' })
  t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 401)
  t.ok(warnings.some(each => /stored rule.*REED/.test(each)))
  const open = await notes(t, [])
  await open.models.ACL.create({ ...odd, permission: 'DENY', accessType: 'REED' })
  t.equal((await call(open, 'ann', 'GET', '/Notes')).status, 401)
  const other = await notes(t, [])
  await other.models.ACL.create({ ...odd, permission: 'DENY', principalType: 'USR' })
  t.equal((await call(other, 'ann', 'GET', '/Notes')).status, 401)
})

t.test('S-103 where definitions are strict, the start stops', async t => {
  for (const odd of [{ principalType: 'ROL' }, { property: 'craete' }, { property: 'nothing like it' }]) {
    await t.rejects(notes(t, [{ ...row('DENY', '$everyone'), ...odd }], {}), { code: 'FBK_ACL_VOID_RULE' }, JSON.stringify(odd))
  }
  for (const odd of [{ permission: 'ALOW' }, { acessType: 'READ' }, { anything: 'READ' }]) {
    await t.rejects(notes(t, [{ ...row('ALLOW', '$everyone'), ...odd }], {}), { code: 'FBK_CORE_INVALID_DEFINITION' }, JSON.stringify(odd))
  }
  const app = await notes(t, [row('DENY', '$everyone', { property: ['prototype.cancel', 'cancel', 'text', 'find'] as never })], {})
  t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 401)
})
