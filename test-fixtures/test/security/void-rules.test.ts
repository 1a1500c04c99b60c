/** Rules that were void in silence: S-103. */
import { join } from './clients.js'
import { onEveryStore } from './harness.js'

interface Ruled {
  settings: { acls: object[] }
}

await onEveryStore('accounts', async (t, server) => {
  const { send, models } = server
  const { token, id } = await join(server, 'ann')
  const User = models.User as unknown as Ruled
  const written = User.settings.acls
  const under = (...acls: object[]): void => { User.settings.acls = [...written, ...acls] }
  t.teardown(() => { User.settings.acls = written })
  const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
  const patch = async (): Promise<number> =>
    (await send('PATCH', `/Users/${String(id)}`, { json: { username: 'ann' }, token })).status

  t.test('S-103 a rule that denies counts by both names of a method', async t => {
    // Seen to fail: with "prototype.patchAttributes" the call was 200.
    t.equal(await patch(), 200)
    for (const property of ['prototype.patchAttributes', 'patchAttributes', ['prototype.updateAttributes']]) {
      under({ ...deny, principalId: '$owner', property })
      t.ok(await patch() >= 400, String(property))
    }
  })

  t.test('S-103 a rule that nobody can read is never wider than it reads', async t => {
    // Seen to fail: DENY for "ROL" let everybody pass, and ALLOW with "acessType" opened writes as well.
    under({ ...deny, principalType: 'ROL', principalId: '$owner', property: 'patchAttributes' })
    t.ok(await patch() >= 400, 'DENY')
    under({ ...deny, permission: 'ALLOW', property: 'deleteAll', acessType: 'READ' },
      { ...deny, permission: 'ALLOW', property: 'find', acessType: 'READ' })
    t.ok((await send('GET', '/Users', { token })).status >= 400, 'ALLOW')
  })
})
