/** Functions of the built-in models that an application put its own in the place of: S-96. */
import { createHash } from 'node:crypto'
import { join, person } from './clients.js'
import { onEveryStore, type Row } from './harness.js'

const md5 = (text: string): string => `md5:${createHash('md5').update(text).digest('hex')}`

interface OwnUsers {
  validatePassword: (plain: string) => unknown
  hashPassword: (plain: string) => unknown
  prototype: { hasPassword: (this: Row, plain: string) => unknown }
  observe (hook: string, observer: (ctx: { instance?: Row, data?: Row }) => void): void
}

await onEveryStore('accounts', async (t, { send, models }) => {
  const User = models.User as unknown as OwnUsers
  const seen: unknown[] = []
  User.observe('before save', ({ instance, data }) => { seen.push((instance ?? data)?.password) })
  const { validatePassword, hashPassword } = User
  const { hasPassword } = User.prototype

  t.test('S-96 a policy of the class holds, whichever way a password is set', async t => {
    // Seen to fail: `POST /Users` with "x" was 200, as only the built-in checks were called.
    User.validatePassword = plain => {
      if (plain.length < 8) throw Object.assign(new Error('at least 8'), { statusCode: 422, code: 'WEAK' })
    }
    t.teardown(() => { User.validatePassword = validatePassword })
    t.equal((await send('POST', '/Users', { json: person('may', { password: 'x' }) })).code, 'WEAK')
    t.equal((await send('POST', '/Users', { json: [person('may', { password: 'x' })] })).status, 422)
    const { id, token } = await join({ send } as never, 'una') as unknown as { id: unknown, token: string }
    for (const [verb, path, json] of [
      ['PATCH', `/Users/${String(id)}`, { password: 'x' }],
      ['POST', '/Users/change-password', { oldPassword: 'una-secret', newPassword: 'x' }],
      ['POST', '/Users/reset-password', { newPassword: 'x' }]
    ] as const) t.ok((await send(verb, path, { json, token })).status >= 400, `${verb} ${path}`)
  })

  t.test('S-96 hashes of an older system let their owners in, and hooks see no password', async t => {
    // Seen to fail: the login was 401, and the hook saw the plain text.
    User.hashPassword = md5
    User.prototype.hasPassword = async function (plain) { return this.password === md5(plain) }
    t.teardown(() => {
      User.hashPassword = hashPassword
      User.prototype.hasPassword = hasPassword
    })
    seen.length = 0
    t.equal((await send('POST', '/Users', { json: person('old', { password: 'old secret' }) })).status, 200)
    t.strictSame(seen, [md5('old secret')])
    const login = async (password: string): Promise<number> =>
      (await send('POST', '/Users/login', { json: { username: 'old', password } })).status
    t.equal(await login('old secret'), 200)
    t.equal(await login('wrong'), 401)
    t.equal(await login(md5('old secret')), 401, 'the hash itself is no password')
  })
})
