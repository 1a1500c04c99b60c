/** Secrets that a store looks up (S-79), and what a reset of a password tells (S-46). */
import { createHash } from 'node:crypto'
import tap from 'tap'
import { execute, isReachable, makeScratch } from '../../scratch.mjs'
import { temporaryApp } from './folders.js'
import { attack, storeNames, type Attacked } from './harness.js'

const folder = (options: object): Record<string, unknown> => ({
  'package.json': { name: 'secrets', private: true },
  'server/boot/auth.js': 'module.exports = app => { app.enableAuth() }',
  'server/model-config.json': {
    _meta: { sources: ['loopback/common/models', './models'] },
    User: { dataSource: 'db', public: true, options },
    Note: {
      dataSource: 'db',
      public: true,
      acls: [{ principalType: 'ROLE', principalId: '$unauthenticated', permission: 'DENY' }]
    },
    AccessToken: { dataSource: 'db', public: false },
    ACL: { dataSource: 'db', public: false },
    Role: { dataSource: 'db', public: false },
    RoleMapping: { dataSource: 'db', public: false }
  }
})

const ann = { email: 'ann@x.test', password: 'a long secret' }

async function logIn ({ send, models }: Attacked): Promise<string> {
  await models.User?.create({ ...ann, emailVerified: true })
  return ((await send('POST', '/Users/login', { json: ann })).body as { id: string }).id
}

const digestOf = (token: string): string => `sha256-${createHash('sha256').update(token).digest('base64url')}`

/**
 * Other texts that a collation may take for `text`: another case, blanks at the end, other forms of the same letters,
 * marks that count for nothing.
 */
const spellings = (text: string): string[] =>
  [
    text.toUpperCase(),
    text.toLowerCase(),
    text.replace('sha', 'SHA'),
    text.replace('s', 'S'),
    `${text} `,
    `${text}  `,
    ` ${text}`,
    text.replace('s', 'ſ'),
    text.replace('sha', 'ＳＨＡ'),
    text.replace('sha', 'śhá'),
    text.replace('sha', 's\u00adha'),
    text.replace('sha', 's\u200bha'),
    text.replace('-', '\u2010')
  ].filter(spelled => spelled !== text)

for (const store of storeNames) {
  tap.test(store, async t => {
    const server = await attack(t, temporaryApp(t, folder({})), store)
    const token = await logIn(server)

    t.test('S-79 P-13 what is stored of a token is no token, however it is spelled', async t => {
      // Seen to fail: on a case-insensitive table, see below; here mayBeToken of auth/tokens/token-text.ts without
      // resemblesStoredId and isExactly of hashed-ids.ts giving true
      t.equal((await server.send('GET', '/Notes', { token })).status, 200, 'the token itself')
      for (const text of [digestOf(token), ...spellings(digestOf(token)), ...spellings(token)]) {
        for (const path of [
          `/Notes?access_token=${encodeURIComponent(text)}`,
          `/Users/1?access_token=${encodeURIComponent(text)}`
        ]) {
          t.equal((await server.send('GET', path)).status, 401, encodeURI(path))
        }
        if (/^[\x21-\x7e]+$/.test(text)) {
          t.equal((await server.send('GET', '/Notes', { token: text })).status, 401, `header ${text}`)
          t.equal((await server.send('POST', '/Users/logout', { token: text })).status, 401)
        }
      }
      t.equal((await server.send('GET', '/Notes', { token })).status, 200, 'it goes on')
    })
  })

  tap.test(`${store}, addresses that must be verified`, async t => {
    for (const [options, unverified, unknown] of [
      [{ emailVerificationRequired: true }, 204, 204],
      [{ emailVerificationRequired: true, allowUserEnumeration: true }, 401, 404]
    ] as const) {
      await t.test('S-46 reset tells neither accounts that are not verified nor those that are not there', async t => {
        // Seen to fail: resetPassword of auth/user/passwords.ts threw resetNotVerified whatever allowUserEnumeration
        // says
        const { send, models } = await attack(t, temporaryApp(t, folder(options)), store)
        const requests: unknown[] = []
        ;(models.User as unknown as NodeJS.EventEmitter).on('resetPasswordRequest', (info: { email: string }) => {
          requests.push(info.email)
        })
        await models.User?.create([
          { ...ann, emailVerified: true },
          { email: 'new@x.test', password: 'a long secret' }
        ])
        for (const [email, status] of [
          ['ann@x.test', 204],
          ['new@x.test', unverified],
          ['nobody@x.test', unknown]
        ] as const) {
          const answer = await send('POST', '/Users/reset', { json: { email } })
          t.equal(answer.status, status, `${email} ${answer.text}`)
          if (status === 204) t.equal(answer.text, '')
        }
        while (requests.length === 0) await new Promise(resolve => setImmediate(resolve))
        t.same(requests, ['ann@x.test'], 'nobody else gets a token')
      })
    }
  })
}

tap.test('a table of MySQL that compares without case', async t => {
  if (!await isReachable('mysql')) return
  const { url, remove } = await makeScratch('mysql')
  t.teardown(remove)
  for (const collation of ['utf8mb4_general_ci', 'utf8mb4_unicode_ci']) {
    await t.test(`S-79 a stored digest logs nobody in: ${collation}`, async t => {
      // Seen to fail: before isExactly of auth/tokens/hashed-ids.ts, "SHA256-…" of a stored digest was the user
      await execute(
        url,
        'DROP TABLE IF EXISTS AccessToken',
        `CREATE TABLE AccessToken (id VARCHAR(255) CHARACTER SET utf8mb4 COLLATE ${collation} NOT NULL PRIMARY KEY, ttl INT, scopes TEXT, created DATETIME, userId INT)`
      )
      const dataSources = { db: { connector: 'sql', url, migrate: 'update' } }
      const server = await attack(t, temporaryApp(t, folder({})), 'memory', { dataSources })
      await server.models.User?.destroyAll({})
      const token = await logIn(server)
      // A row of LoopBack's, whose token is stored as it is.
      const [{ userId }] = await execute(url, 'SELECT userId FROM AccessToken') as [{ userId: number }]
      await execute(
        url,
        `INSERT INTO AccessToken (id, ttl, created, userId) VALUES ('OldTokenOfLoopBack', 1000000, NOW(), ${userId})`
      )
      for (const text of [
        digestOf(token),
        ...spellings(digestOf(token)),
        ...spellings(token),
        ...spellings('OldTokenOfLoopBack')
      ]) {
        for (const path of [
          `/Notes?access_token=${encodeURIComponent(text)}`,
          `/Users/${userId}?access_token=${encodeURIComponent(text)}`
        ]) {
          t.equal((await server.send('GET', path)).status, 401, encodeURI(path))
        }
        t.equal((await server.send('POST', `/Users/logout?access_token=${encodeURIComponent(text)}`)).status, 401)
      }
      t.equal((await server.send('GET', '/Notes', { token })).status, 200, 'the token itself')
      t.equal(
        (await server.send('GET', '/Notes', { token: 'OldTokenOfLoopBack' })).status,
        200,
        'a token from before, as it is'
      )
      t.equal(
        (await execute(url, 'SELECT id FROM AccessToken')).filter(({ id }) => String(id).startsWith('sha256-')).length,
        2,
        'it is hashed now'
      )
      await server.models.User?.destroyAll({})
    })
  }
})
