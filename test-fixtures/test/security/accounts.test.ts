// FASTBACK_TEST_FULL: passwords are hashed with full cost.
/** Accounts: S-40 to S-46. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import tap, { type Test } from 'tap'
import { atOnce, join, listen, logIn, person, statuses } from './clients.js'
import { hasherOf } from './guesses.js'
import { attack, onEveryStore, type Attacked, type Row } from './harness.js'

/** What the folder `accounts` puts on its user model. */
interface Users {
  readonly mails: Array<{ verifyHref: string }>
  readonly resets: string[]
  delivery: Promise<void> | undefined
  /** Milliseconds between reading an account and going on with it. */
  pause: number
  findOne (filter: object): Promise<Row | null>
  updateAll (where: object, data: object): Promise<unknown>
}

const usersOf = (server: Attacked): Users & Attacked['models'][string] =>
  server.models.User as unknown as Users & Attacked['models'][string]
const idOf = ({ body }: { body: unknown }): unknown => (body as Row).id
const wait = async (time: number): Promise<void> => { await new Promise(resolve => setTimeout(resolve, time)) }
const soon = async (): Promise<void> => { await wait(30) }
/** Waits for what happens after the response (S-46), which takes longer on a busy machine. */
const until = async (happened: () => boolean): Promise<void> => {
  for (let looks = 0; looks < 500 && !happened(); looks++) await soon()
}
/** Asks, and waits until the list has one more. */
const awaitOneMore = async (list: () => readonly unknown[], ask: () => Promise<unknown>): Promise<void> => {
  const before = list().length
  await ask()
  await until(() => list().length > before)
}

/** The token in the link of the last message. */
const linkToken = (mails: Users['mails']): string =>
  new URL(mails.at(-1)?.verifyHref as string).searchParams.get('token') as string

await onEveryStore('accounts', async (t, server) => {
  const { send, rows, models } = server
  const User = usersOf(server)
  const ann = await join(server, 'ann')
  const ben = await join(server, 'ben')

  t.test('S-40 P-14 from outside nobody sets the state of an account, whichever way the data come', async t => {
    // Seen to fail: auth/user/hooks.ts without protectNew; then without protectExisting
    const forged = {
      emailVerified: true,
      verificationToken: 'mine',
      created: '2001-01-01T00:00:00Z',
      ttl: 1e9,
      roles: ['admin']
    }
    const made = await send('POST', '/Users', {
      json: [person('cid', forged), person('cat', { ...forged, id: undefined })]
    })
    t.equal(made.status, 200)
    for (const name of ['cid', 'cat']) {
      t.match(await User.findOne({ where: { username: name } }), { emailVerified: false }, `create, in a list: ${name}`)
    }
    t.equal(
      (await send('POST', '/Users', { json: person('dan', { id: 1 }) })).status >= 400,
      true,
      'the id of somebody'
    )
    for (const accessTokens of [[{ id: 'chosen', ttl: 100 }], { id: 'chosen' }]) {
      await send('POST', '/Users', { json: person('eva', { accessTokens }) })
    }
    t.equal(
      (await send('GET', `/Users/${ann.id}`, { token: 'chosen' })).status,
      401,
      'no token comes with the data of an account'
    )
    await User.updateAll({ id: ann.id }, { realm: 'north' })
    const changes: Array<[string, string]> = [
      ['PATCH', `/Users/${ann.id}`],
      ['PUT', `/Users/${ann.id}`],
      ['POST', `/Users/${ann.id}/replace`],
      ['PATCH', '/Users/me'],
      ['PATCH', '/Users'],
      ['PUT', '/Users'],
      ['POST', '/Users/replaceOrCreate'],
      ['POST', `/Users/update?where={"id":${ann.id}}`]
    ]
    for (const [verb, url] of changes) {
      const { status } = await send(verb, url, {
        token: ann.token,
        json: person('ann', {
          ...forged,
          realm: 'south',
          ...(url === '/Users' || url.endsWith('OrCreate') ? { id: ann.id } : {})
        })
      })
      t.ok(status < 500, `${verb} ${url}: ${status}`)
      const stored = await User.findById(ann.id) as Row
      t.match(
        { verified: stored.emailVerified === true, token: stored.verificationToken === 'mine', realm: stored.realm },
        { verified: false, token: false, realm: 'north' },
        `${verb} ${url}`
      )
    }
    await User.updateAll({ id: ann.id }, { password: 'ann-secret' })
    ann.token = await logIn(send, 'ann')
  })

  t.test('S-40 P-14 a token lives no longer than maxTTL, has no chosen text and no age', async t => {
    // Seen to fail: tokenTtl without maxTTL; protect of auth/models/access-token.ts capping at a year as before, not at
    // the model's maxTTL
    for (const ttl of [5001, 1e9, 1e15, '1e9']) {
      const { body } = await send('POST', '/Users/login', { json: { username: 'ann', password: 'ann-secret', ttl } })
      t.equal((body as Row).ttl, 5000, `ttl ${ttl}`)
    }
    for (const ttl of [-5, 'x', {}, [5], 'Infinity', '1e400']) {
      t.equal(
        (await send('POST', '/Users/login', { json: { username: 'ann', password: 'ann-secret', ttl } })).status,
        400,
        `ttl ${JSON.stringify(ttl)}`
      )
    }
    const text = 'a'.repeat(64)
    const made = await send('POST', `/Users/${ann.id}/accessTokens`, {
      token: ann.token,
      json: { id: text, ttl: 1e9, created: '2999-01-01T00:00:00Z', userId: ben.id }
    })
    t.not(idOf(made), text)
    const { body } = await send('GET', `/Users/${ann.id}/accessTokens`, { token: ann.token })
    t.ok(
      (body as Row[]).every(
        ({ ttl, created }) => (ttl as number) <= 5000 && new Date(created as string).getTime() < Date.now() + 1000
      ),
      'made by the relation'
    )
    for (const each of body as Row[]) {
      await send('PUT', `/Users/${ann.id}/accessTokens/${String(each.id)}`, {
        token: ann.token,
        json: { ttl: 1e9, created: '2999-01-01T00:00:00Z' }
      })
    }
    const after = (await send('GET', `/Users/${ann.id}/accessTokens`, { token: ann.token })).body as Row[]
    t.ok(
      after.length > 0 &&
        after.every(
          ({ ttl, created }) => (ttl as number) <= 5000 && new Date(created as string).getTime() < Date.now() + 1000
        ),
      'changed by the relation'
    )
    t.ok(
      ((await models.AccessToken?.find({ where: { userId: ben.id } })) as Row[]).length <= 1,
      'none for somebody else'
    )
  })

  t.test('S-40 P-14 the owner of a row is the caller: creates, lists, nested data, relation routes', async t => {
    // Seen to fail: settings.ownerFromToken of models/note.json false
    const Note = models.Note as Attacked['models'][string]
    const folder = await models.Folder?.create({ name: 'f' }) as Row
    const mine = async (): Promise<unknown[]> => (await Note.find({ order: 'id' })).map(({ userId }) => userId)
    const forged = { text: 'x', userId: ben.id, user: { id: ben.id }, owner: ben.id }
    t.equal((await send('POST', '/Notes', { token: ann.token, json: forged })).status, 200)
    t.equal((await send('POST', '/Notes', { token: ann.token, json: [forged, { userId: ben.id }, {}] })).status, 200)
    t.equal((await send('POST', `/Folders/${String(folder.id)}/notes`, { token: ann.token, json: forged })).status, 200)
    t.equal(
      (await send('POST', `/Folders/${String(folder.id)}/notes`, { token: ann.token, json: [forged] })).status,
      200
    )
    t.same(new Set(await mine()), new Set([ann.id]))
    const [note] = await Note.find()
    for (const [verb, url] of [
      ['PATCH', `/Notes/${String(note?.id)}`],
      ['PUT', `/Notes/${String(note?.id)}`],
      ['POST', `/Notes/${String(note?.id)}/replace`],
      ['PATCH', '/Notes'],
      ['PUT', '/Notes'],
      ['POST', '/Notes/update?where={}'],
      ['POST', `/Notes/upsertWithWhere?where={"id":${String(note?.id)}}`],
      [
        'PUT',
        `/Folders/${String(folder.id)}/notes/${String((await Note.find({ where: { folderId: folder.id } }))[0]?.id)}`
      ]
    ] as const) {
      for (const data of [{ userId: ben.id }, { user: { id: ben.id } }, { userId: null }]) {
        const { status } = await send(verb, url, {
          token: ann.token,
          json: { ...(url === '/Notes' ? { id: note?.id } : {}), text: 'gift', ...data }
        })
        t.ok(status < 500, `${verb} ${url} ${JSON.stringify(data)}: ${status}`)
      }
      t.same(new Set(await mine()), new Set([ann.id]), `${verb} ${url}`)
    }
    const tag = await models.Tag?.create({ text: 't' }) as Row
    t.equal(
      (
        await send('PUT', `/Folders/${String(folder.id)}/tags/rel/${String(tag.id)}`, {
          token: ann.token,
          json: { since: 1, userId: ben.id }
        })
      ).status,
      200
    )
    t.match(await models.Mark?.find(), [{ userId: ann.id, since: 1 }], 'a joining row')
    t.equal((await send('POST', `/Folders/${String(folder.id)}/notes`, { json: forged })).status, 200)
    t.equal(await Note.count({ userId: ben.id }), 0, 'an anonymous caller makes a row that nobody owns')
  })

  t.test('S-41 what an account is asked with is text, and nothing else', async t => {
    // Seen to fail: readCredentials of auth/user/credentials.ts without its typeof checks; resetPassword of
    // auth/user/passwords.ts without its own
    const hostile: unknown[] = [
      {},
      [],
      ['ann'],
      { neq: '' },
      { like: '%' },
      { regexp: '.*' },
      { length: 3 },
      true,
      7,
      { toString: 'x' },
      [{ ann: 1 }]
    ]
    const before = await rows('AccessToken', 'User')
    const mails = User.mails.length
    const refused = async (verb: string, url: string, json: unknown, token?: string): Promise<void> => {
      const { status } = await send(verb, url, { json, token })
      t.ok(status >= 400 && status < 500, `${verb} ${url} ${JSON.stringify(json)}: ${status}`)
    }
    for (const value of hostile) {
      for (const name of ['email', 'username']) {
        await refused('POST', '/Users/login', { [name]: value, password: 'ann-secret' })
      }
      await refused('POST', '/Users/login', { username: 'ann', password: value })
      await refused('POST', '/Users/login', { email: { neq: 'x' }, username: 'ann', password: 'ann-secret' })
      if (typeof value === 'object') {
        await refused('POST', '/Users/login', { username: 'ann', password: 'ann-secret', ttl: value })
      }
      await refused('POST', '/Users/reset', { email: value })
      await refused('POST', '/Users/change-password', { oldPassword: value, newPassword: 'new' }, ann.token)
      await refused('POST', '/Users/change-password', { oldPassword: 'ann-secret', newPassword: value }, ann.token)
      await refused('POST', '/Users/reset-password', { newPassword: value }, ann.token)
      if (typeof value === 'object') {
        for (const name of ['email', 'username', 'password', 'realm']) {
          await refused('POST', '/Users', person('fay', { [name]: value }))
        }
        for (const name of ['email', 'username', 'password']) {
          await refused('PATCH', `/Users/${ann.id}`, { [name]: value }, ann.token)
        }
      }
    }
    for (const query of [
      'uid[neq]=0&token[neq]=x',
      `uid=${ann.id}&token[neq]=x`,
      `uid[]=${ann.id}&token[]=`,
      `uid=${ann.id}&token=`,
      'uid=%&token=%',
      'uid={"neq":0}&token={"neq":""}',
      `uid=${ann.id}&uid=${ben.id}&token=null`,
      `uid=${ann.id}&token=undefined`
    ]) {
      const { status } = await send('GET', `/Users/confirm?${query}`)
      t.ok(status >= 400 && status < 500, `${query}: ${status}`)
    }
    for (const body of [
      'username[neq]=x&password=ann-secret',
      'username=ann&password[]=ann-secret',
      'username=ann&username=ben&password=ann-secret'
    ]) {
      const { status } = await send('POST', '/Users/login', {
        payload: body,
        type: 'application/x-www-form-urlencoded'
      })
      t.ok(status >= 400 && status < 500, `${body}: ${status}`)
    }
    t.equal(await rows('AccessToken', 'User'), before, 'no token, no password changed')
    t.equal(User.mails.length, mails, 'no mail')
  })

  t.test('S-41 a ready-made hash from outside is a password like any other', async t => {
    // Seen to fail: hashPassword of auth/user/hooks.ts without `!isExternal(…)`
    // bcrypt of `open sesame`, cost 4, and an argon2id hash.
    const hashes = ['$2b$04$BpWvyV2qhqRdVvPj3nTyQuBVQP1hQ3mXPqPEd6Yd3NN.DJ6YYuJ3y', `$2a$10$${'a'.repeat(53)}`]
    for (const [i, hash] of hashes.entries()) {
      const name = `hash${i}`
      t.equal((await send('POST', '/Users', { json: person(name, { password: hash }) })).status, 200)
      t.match((await User.findOne({ where: { username: name } }))?.password, /^\$argon2id\$/, 'hashed again')
      t.equal((await send('POST', '/Users/login', { json: { username: name, password: 'open sesame' } })).status, 401)
      const token = await logIn(send, name, 'Users', hash)
      t.ok(token, 'it is the password')
      await send('PATCH', '/Users/me', { token, json: { password: hashes[1 - i] } })
      t.match((await User.findOne({ where: { username: name } }))?.password, /^\$argon2id\$/, 'by a change as well')
      t.ok(await logIn(send, name, 'Users', hashes[1 - i]))
    }
  })

  t.test('S-42 sixteen at once make one: accounts, unique values, links', async t => {
    // Seen to fail: compileIndexes of core without the indexes of validations
    const one = { 200: 1, 422: 15 }
    t.same(
      statuses(
        await atOnce(
          16,
          async i =>
            await send('POST', '/Users', { json: { email: 'one@x.test', username: `one-${i}`, password: 'p' } })
        )
      ),
      one,
      'e-mail'
    )
    t.same(
      statuses(
        await atOnce(
          16,
          async i =>
            await send('POST', '/Users', { json: { email: i % 2 === 0 ? 'Two@x.test' : 'tWO@X.test', password: 'p' } })
        )
      ),
      one,
      'e-mail in other letters'
    )
    t.same(
      statuses(
        await atOnce(
          16,
          async i =>
            await send('POST', '/Users', { json: { email: `three-${i}@x.test`, username: 'three', password: 'p' } })
        )
      ),
      one,
      'user name'
    )
    t.same(
      statuses(await atOnce(16, async () => await send('POST', '/Seats', { json: { show: 'a', row: 1 } }))),
      one,
      'within a scope'
    )
    t.same(
      statuses(await atOnce(16, async i => await send('POST', '/Seats', { json: { show: 'b', row: i } }))),
      { 200: 16 },
      'other values are free'
    )
    t.same(
      statuses(await atOnce(16, async i => await send('POST', '/Seats', { json: { show: 'c', row: i, code: 'x' } }))),
      one,
      'a value that may be missing'
    )
    t.same(
      statuses(
        await atOnce(
          16,
          async i => await send('POST', '/Seats', { json: { show: 'd', row: i, holder: i % 2 === 0 ? 'Ann' : 'aNN' } })
        )
      ),
      one,
      'whatever the letters'
    )
    const seats = await models.Seat?.find({ where: { show: 'b' } }) as Row[]
    t.same(
      statuses(
        await atOnce(
          16,
          async i => await send('PATCH', `/Seats/${String(seats[i]?.id)}`, { json: { code: 'changed' } })
        )
      ),
      one,
      'by a change'
    )
    const folder = await models.Folder?.create({ name: 'f' }) as Row
    const tag = await models.Tag?.create({ text: 't' }) as Row
    const links = await atOnce(
      16,
      async () => await send('PUT', `/Folders/${String(folder.id)}/tags/rel/${String(tag.id)}`, { token: ann.token })
    )
    t.same(statuses(links), { 200: 16 })
    t.equal(await models.Mark?.count({ folderId: folder.id }), 1, 'a link through a model')
    await atOnce(
      16,
      async () => await send('PUT', `/Tags/${String(tag.id)}/folders/rel/${String(folder.id)}`, { token: ann.token })
    )
    t.equal(((await send('GET', `/Tags/${String(tag.id)}/folders/count`)).body as Row).count, 1, 'a link of two lists')
    t.equal(((await send('GET', `/Tags/${String(tag.id)}/folders`)).body as Row[]).length, 1)
  })

  t.test('S-42 P-16 a one-time token works once, also sixteen times at once', async t => {
    // Seen to fail: confirm of auth/user/verify.ts without the token in its condition; useUp of auth/user/passwords.ts
    // without its count
    await awaitOneMore(() => User.mails, async () => await send('POST', `/Users/${ben.id}/verify`))
    const token = linkToken(User.mails)
    // All have read the account before the first goes on.
    User.pause = 100
    t.same(
      statuses(await atOnce(16, async () => await send('GET', `/Users/confirm?uid=${ben.id}&token=${token}`))),
      { 204: 1, 400: 15 },
      'confirm'
    )
    await awaitOneMore(
      () => User.resets,
      async () => await send('POST', '/Users/reset', { json: { email: 'ben@x.test' } })
    )
    const reset = User.resets.at(-1) as string
    t.same(
      statuses(
        await atOnce(
          16,
          async i => await send('POST', '/Users/reset-password', { token: reset, json: { newPassword: `new-${i}` } })
        )
      ),
      { 204: 1, 401: 15 },
      'reset'
    )
    User.pause = 0
    const works = await atOnce(
      16,
      async i => await send('POST', '/Users/login', { json: { username: 'ben', password: `new-${i}` } })
    )
    t.same(statuses(works), { 200: 1, 401: 15 }, 'one password')
    await User.updateAll({ id: ben.id }, { password: 'ben-secret' })
    ben.token = await logIn(send, 'ben')
  })

  t.test(
    'S-43 P-17 P-25: a changed password, a removed account and a logout end tokens and streams',
    { timeout: 60_000 },
    async t => {
      // Seen to fail: afterSave of auth/user/hooks.ts without endTokens; TokenWatch without its observer and with an
      // interval of a minute; TokenReader without clear()
      const endings: Array<[string, (who: { id: number; name: string; token: string }) => Promise<unknown>]> = [
        [
          'changed password',
          async ({ name }) =>
            await send('POST', '/Users/change-password', {
              token: await logIn(send, name),
              json: { oldPassword: `${name}-secret`, newPassword: 'new' }
            })
        ],
        [
          'reset password',
          async ({ name }) => {
            await awaitOneMore(
              () => User.resets,
              async () => await send('POST', '/Users/reset', { json: { email: `${name}@x.test` } })
            )
            return await send('POST', '/Users/reset-password', {
              token: User.resets.at(-1),
              json: { newPassword: 'new' }
            })
          }
        ],
        [
          'changed e-mail',
          async ({ id, name }) =>
            await send('PATCH', `/Users/${id}`, {
              token: await logIn(send, name),
              json: { email: `other-${name}@x.test` }
            })
        ],
        ['bulk change by code', async ({ id }) => await User.updateAll({ id }, { password: 'new' })],
        ['removed account', async ({ id, token }) => await send('DELETE', `/Users/${id}`, { token })],
        ['logout', async ({ token }) => await send('POST', '/Users/logout', { token })]
      ]
      for (const [i, [what, end]] of endings.entries()) {
        const who = { ...(await join(server, `who${i}`)), name: `who${i}` }
        const stream = await listen(t, server, '/Notes/change-stream', who.token)
        await stream.until(/:ok/)
        t.equal((await send('GET', `/Users/${who.id}`, { token: who.token })).status, 200, 'the token is in the cache')
        const done = await end(who)
        t.ok(((done as { status?: number } | null)?.status ?? 200) < 300, `${what}: ${JSON.stringify(done)}`)
        const ended = Date.now()
        t.equal((await send('GET', `/Users/${who.id}`, { token: who.token })).status, 401, `${what}: the token`)
        t.ok((await stream.ended) - ended < 30_000, `${what}: the stream`)
      }
    }
  )

  t.test('S-43 a token that is being made with the old password is none', { timeout: 60_000 }, async t => {
    // Seen to fail: issue of auth/user/login.ts without isAsItWas; request of auth/user/passwords.ts without it (a
    // reset for the old address)
    const hasher = hasherOf(server)
    const { verify } = hasher
    for (let round = 0; round < 2; round++) {
      const { id } = await join(server, `racer${round}`)
      const old = { username: `racer${round}`, password: `racer${round}-secret` }
      // The old password is found right, and changes before there is a token: for all, then for every other one.
      let changed = (): void => {}
      const change = new Promise<void>(resolve => { changed = resolve })
      const found = { count: 0 }
      hasher.verify = async (password, hash) => {
        const isRight = await verify.call(hasher, password, hash)
        if (found.count++ % (round + 1) === 0) await change
        return isRight
      }
      const logins = atOnce(12, async () => await send('POST', '/Users/login', { json: old }))
      while (found.count < 12) await soon()
      await User.updateAll({ id }, { password: 'new' })
      changed()
      hasher.verify = verify
      for (const answer of await logins) {
        if (answer.status === 200) {
          t.equal(
            (await send('GET', `/Users/${id}`, { token: idOf(answer) as string })).status,
            401,
            'a login before the change'
          )
        }
      }
      t.equal(await models.AccessToken?.count({ userId: id }), 0)
    }
    const { id } = await join(server, 'mover')
    const made = User.resets.length
    await awaitOneMore(
      () => User.resets,
      async () => await send('POST', '/Users/reset', { json: { email: 'mover@x.test' } })
    )
    t.equal(User.resets.length, made + 1)
    const { prototype } = models.User as unknown as {
      prototype: { createAccessToken: (...args: unknown[]) => Promise<unknown> }
    }
    const { createAccessToken } = prototype
    prototype.createAccessToken = async function (...args) {
      await User.updateAll({ id }, { email: 'moved@x.test' })
      const token = await createAccessToken.apply(this, args)
      isMade = true
      return token
    }
    let isMade = false
    await send('POST', '/Users/reset', { json: { email: 'mover@x.test' } })
    await until(() => isMade)
    // The message that must not be sent, and the end of the token, come next.
    await wait(300)
    prototype.createAccessToken = createAccessToken
    t.equal(User.resets.length, made + 1, 'the old address gets nothing')
    t.equal(await models.AccessToken?.count({ userId: id }), 0)
  })

  t.test(
    'S-45 redirect targets: paths of this origin and listed addresses, else 400 before the token is used',
    async t => {
      // Seen to fail: isAllowedRedirect with /^\// alone; without the check at all the token was gone
      const cy = await join(server, 'cy')
      await awaitOneMore(
        () => User.mails,
        async () => await send('POST', `/Users/${cy.id}/verify`)
      )
      const confirm = `/Users/confirm?uid=${cy.id}&token=${linkToken(User.mails)}&redirect=`
      for (const target of [
        'https://evil.test',
        '//evil.test',
        '/\\evil.test',
        '\\\\evil.test',
        '/\t/evil.test',
        '\t//evil.test',
        '/\n/evil.test',
        ' /welcome',
        ' //evil.test',
        'javascript:alert(1)',
        'evil.test',
        'http:evil.test',
        '///evil.test',
        'https://app.example/welcome@evil.test',
        'https://app.example/welcome/../evil',
        'https://app.example/welcome?x',
        'https://APP.example/welcome',
        '/x\r\nset-cookie: a=b',
        '/x\u0000',
        '/x\u007f',
        '/a\\b',
        '/\u0085x',
        '/\u0000',
        '\ufeff//evil.test'
      ]) {
        const { status, headers } = await send('GET', confirm + encodeURIComponent(target))
        t.match(
          { status, location: headers.location, cookie: headers['set-cookie'] },
          { status: 400, location: undefined, cookie: undefined },
          JSON.stringify(target)
        )
      }
      for (const query of [
        `${confirm}/welcome&redirect=//evil.test`,
        `${confirm.replace('redirect=', 'redirect[]=')}//evil.test`
      ]) {
        const { headers, status } = await send('GET', query)
        t.ok(status >= 400 && headers.location === undefined, `${query}: ${status}`)
      }
      t.not((await User.findById(cy.id))?.emailVerified, true, 'the token was not used up')
      const { status, headers } = await send('GET', confirm + encodeURIComponent('/welcome?a=//b'))
      t.match({ status, location: headers.location }, { status: 302, location: '/welcome?a=//b' })
      await awaitOneMore(() => User.mails, async () => await send('POST', `/Users/${cy.id}/verify`))
      const encoded = await send(
        'GET',
        `/Users/confirm?uid=${cy.id}&token=${linkToken(User.mails)}&redirect=${encodeURIComponent('/\u65e5')}`
      )
      t.match(
        { status: encoded.status, location: encoded.headers.location },
        { status: 302, location: '/%E6%97%A5' },
        'what a header cannot hold is encoded'
      )
      await awaitOneMore(() => User.mails, async () => await send('POST', `/Users/${cy.id}/verify`))
      const listed = await send(
        'GET',
        `/Users/confirm?uid=${cy.id}&token=${linkToken(User.mails)}&redirect=${encodeURIComponent('https://app.example/welcome')}`
      )
      t.match(
        { status: listed.status, location: listed.headers.location },
        { status: 302, location: 'https://app.example/welcome' }
      )
    }
  )

  t.test('S-46 P-15 login, reset and verify answer alike for known and unknown accounts', async t => {
    // Seen to fail: verify without verifyLater (404); reset with allowUserEnumeration (404)
    const alike = async (
      what: string,
      ...pair: Array<Promise<{ status: number; text: string; headers: Row }>>
    ): Promise<void> => {
      const [known, unknown] = (await Promise.all(pair)).map(
        ({ status, text, headers: { date: _date, 'x-request-id': _id, ...headers } }) => ({ status, text, headers })
      )
      t.same(unknown, known, what)
    }
    for (const password of ['wrong', '', undefined, 7]) {
      await alike(
        `login, password ${JSON.stringify(password)}`,
        send('POST', '/Users/login', { json: { email: 'ann@x.test', password } }),
        send('POST', '/Users/login', { json: { email: 'nobody@x.test', password } })
      )
      await alike(
        `login by name, password ${JSON.stringify(password)}`,
        send('POST', '/Users/login', { json: { username: 'ann', password } }),
        send('POST', '/Users/login', { json: { username: 'nobody', password } })
      )
    }
    await alike(
      'reset',
      send('POST', '/Users/reset', { json: { email: 'ann@x.test' } }),
      send('POST', '/Users/reset', { json: { email: 'nobody@x.test' } })
    )
    await alike('verify', send('POST', `/Users/${ann.id}/verify`), send('POST', '/Users/99999/verify'))
    await alike('verify, odd ids', send('POST', `/Users/${ann.id}/verify`), send('POST', '/Users/nobody/verify'))
  })
})

// The hash is the same whatever the store.
await tap.test('hashes as in production', async t => {
  const server = await attack(t, 'accounts', 'memory', { realHashes: true })
  const { send, models } = server
  const User = usersOf(server)
  const ann = await join(server, 'ann')

  t.test('S-46 P-15 neither a slow post office nor a hash tells by its time', { timeout: 60_000 }, async t => {
    // Seen to fail: verify without verifyLater waited for the post office; PasswordHasher.verify without a hash
    // returning false at once
    let deliver = (): void => {}
    User.delivery = new Promise(resolve => { deliver = resolve })
    t.equal((await send('POST', `/Users/${ann.id}/verify`)).status, 204, 'answered while the message is not delivered')
    deliver()
    User.delivery = undefined
    // Of the processor, so that nothing else that the machine does is counted.
    const took = async (username: string): Promise<number> => {
      const begun = process.cpuUsage()
      await send('POST', '/Users/login', { json: { username, password: 'wrong' } })
      const { user, system } = process.cpuUsage(begun)
      return (user + system) / 1000
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let i = 0; i < 15; i++) {
      known.push(await took('ann'))
      unknown.push(await took('nobody'))
    }
    const quarter = (times: number[]): number => times.sort((a, b) => a - b)[3] as number
    const ratio = quarter(unknown) / quarter(known)
    t.ok(ratio > 0.7 && ratio < 1.4, `unknown ${quarter(unknown).toFixed(1)} ms, known ${quarter(known).toFixed(1)} ms`)
  })

  t.test('S-46 a burst of logins leaves the time of other requests alone', { timeout: 60_000 }, async t => {
    // Seen to fail: #run of auth/passwords/hasher.ts with 400 ms of work on the event loop for each hash (bcrypt's cost
    // 12)
    const { Folder } = models
    const folder = await Folder?.create({ name: 'f' }) as Row
    const took = async (): Promise<number> => {
      const begun = process.hrtime.bigint()
      t.equal((await send('GET', `/Folders/${String(folder.id)}`)).status, 200)
      return Number(process.hrtime.bigint() - begun) / 1e6
    }
    const late = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length * 0.98)] as number
    const quiet: number[] = []
    for (let i = 0; i < 100; i++) quiet.push(await took())
    const bursting = { on: true }
    const burst = atOnce(
      40,
      async i =>
        await send('POST', '/Users/login', {
          json: { username: i % 2 === 0 ? 'ann' : `nobody-${i}`, password: 'wrong' }
        })
    ).finally(() => {
      bursting.on = false
    })
    const times: number[] = []
    while (bursting.on) times.push(await took())
    t.same(statuses(await burst), { 401: 40 })
    t.ok(times.length > 40, `${times.length} requests meanwhile`)
    const limit = 50 + 3 * late(quiet)
    const sum = (times: readonly number[]): number => times.reduce((total, time) => total + time, 0)
    const waited = sum(times.filter(time => time > limit)) / sum(times)
    t.ok(waited < 0.3, `${(waited * 100).toFixed(1)} % of the burst in requests of more than ${limit.toFixed(0)} ms`)
  })
})

await onEveryStore('clinic', async (t, server) => {
  const { send, models } = server
  // The first doctor and the first patient share id and name.
  const doctor = await join(server, 'sam', 'Doctors')
  const patient = await join(server, 'sam', 'Patients')
  t.equal(doctor.id, patient.id)

  t.test('S-44 a user is a type and an id: own records, relation routes, me, owners', async t => {
    // Seen to fail: isOfModel of acl/roles/owner.ts always true; callerId of auth/user/remote-methods.ts without its
    // check of principalType
    const Visit = models.Visit as Attacked['models'][string]
    const [ofPatient, ofDoctor] = [
      await Visit.create({ text: 'p', patientId: patient.id }),
      await Visit.create({ text: 'd', doctorId: doctor.id })
    ]
    const as = async (token: string, verb: string, url: string, json?: unknown): Promise<number> =>
      (await send(verb, url, { token, ...(json === undefined ? {} : { json }) })).status
    for (const [own, other, token] of [
      ['Doctors', 'Patients', doctor.token],
      ['Patients', 'Doctors', patient.token]
    ] as const) {
      t.equal(await as(token, 'GET', `/${own}/${doctor.id}`), 200)
      t.equal(await as(token, 'GET', `/${own}/me`), 200)
      for (const path of [
        `/${other}/${doctor.id}`,
        `/${other}/me`,
        `/${other}/${doctor.id}/visits`,
        `/${other}/me/visits`,
        `/${other}/me/accessTokens`
      ]) { t.ok((await as(token, 'GET', path)) >= 400, `${own}' token: GET ${path}`) }
      t.ok((await as(token, 'PATCH', `/${other}/${doctor.id}`, { username: 'stolen' })) >= 400)
      t.ok((await as(token, 'DELETE', `/${other}/me`)) >= 400)
      t.ok((await as(token, 'DELETE', `/${other}/me/accessTokens`)) >= 400)
      t.equal(
        await as(token, 'POST', `/${other}/change-password`, { oldPassword: 'sam-secret', newPassword: 'stolen' }),
        403
      )
      t.equal(await as(token, 'POST', `/${other}/reset-password`, { newPassword: 'stolen' }), 403)
    }
    t.equal(await as(patient.token, 'GET', `/Visits/${String(ofPatient.id)}`), 200)
    t.ok(
      (await as(patient.token, 'GET', `/Visits/${String(ofDoctor.id)}`)) >= 400,
      'a patient is no doctor of the same id'
    )
    t.ok(await as(doctor.token, 'GET', `/Visits/${String(ofPatient.id)}`) >= 400, 'nor the other way round')
    const stream = await listen(t, server, '/Visits/change-stream', doctor.token)
    await stream.until(/:ok/)
    await Visit.create({ text: 'for the patient', patientId: patient.id })
    await Visit.create({ text: 'for the doctor', doctorId: doctor.id })
    t.notMatch(await stream.until(/for the doctor/), 'for the patient', 'streams')
    stream.close()
  })

  t.test('S-44 roles and their caches, and the end of tokens, go by type and id', async t => {
    // Seen to fail: RoleStore's key without the type; endTokens of auth/user/end-tokens.ts without the discriminator
    const role = await models.Role?.create({ name: 'chief' }) as Row
    await models.RoleMapping?.create({ roleId: role.id, principalType: 'Doctor', principalId: doctor.id })
    t.equal((await send('GET', '/Reports', { token: doctor.token })).status, 200)
    t.equal((await send('GET', '/Reports', { token: patient.token })).status, 401, 'a role of the doctor')
    t.equal((await send('GET', '/Reports', { token: doctor.token })).status, 200, 'from the cache')
    const Doctor = models.Doctor as unknown as Users
    await Doctor.updateAll({ id: doctor.id }, { password: 'new' })
    t.equal((await send('GET', '/Doctors/me', { token: doctor.token })).status, 401)
    t.equal(
      (await send('GET', '/Patients/me', { token: patient.token })).status,
      200,
      'the patient of the same id stays'
    )
    doctor.token = await logIn(send, 'sam', 'Doctors', 'new')
    t.equal((await send('DELETE', '/Patients/me', { token: patient.token })).status, 200)
    t.equal((await send('GET', '/Doctors/me', { token: doctor.token })).status, 200, 'the doctor of the same id stays')
  })
})

/** Two servers on one file. */
async function twoServers (t: Test): Promise<[Attacked, Attacked]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-accounts-'))
  t.teardown(() => { rmSync(folder, { recursive: true, force: true }) })
  const dataSources = { db: { connector: 'sql', url: `sqlite:${path.join(folder, 'accounts.db')}` } }
  return [
    await attack(t, 'accounts', 'sqlite', { dataSources }),
    await attack(t, 'accounts', 'sqlite', { dataSources })
  ]
}

tap.test(
  'S-42 S-43 two processes on one store: one account, one use of a token, streams that end',
  { timeout: 60_000 },
  async t => {
    // Seen to fail: compileIndexes of core without the indexes of validations; TokenWatch with an interval of a minute
    const [one, two] = await twoServers(t)
    const both = (i: number): Attacked => (i % 2 === 0 ? one : two)
    t.same(
      statuses(await atOnce(16, async i => await both(i).send('POST', '/Users', { json: person('ann') }))),
      { 200: 1, 422: 15 },
      'one account'
    )
    const token = await logIn(one.send, 'ann')
    const stream = await listen(t, two, '/Notes/change-stream', token)
    await stream.until(/:ok/)
    t.equal((await two.send('GET', '/Users/me', { token })).status, 200)
    t.equal((await one.send('POST', '/Users/logout', { token })).status, 204)
    const ended = Date.now()
    let own = await two.send('GET', '/Users/me', { token })
    for (let looks = 0; looks < 1000 && own.status === 200; looks++) {
      await soon()
      own = await two.send('GET', '/Users/me', { token })
    }
    t.equal(own.status, 401, 'when the time of the cache is over')
    t.ok((await stream.ended) - ended < 30_000, 'the stream of the other process')
    await awaitOneMore(
      () => usersOf(one).resets,
      async () => await one.send('POST', '/Users/reset', { json: { email: 'ann@x.test' } })
    )
    const reset = usersOf(one).resets.at(-1) as string
    t.same(
      statuses(
        await atOnce(
          8,
          async i =>
            await both(i).send('POST', '/Users/reset-password', { token: reset, json: { newPassword: `new-${i}` } })
        )
      ),
      { 204: 1, 401: 7 },
      'one use'
    )
  }
)

tap.test('S-46 verify is limited, as login and reset are', async t => {
  // Seen to fail: `limited` of auth/rate-limit.ts without "verify"
  const server = await attack(t, 'accounts', 'memory', { env: 'limited' })
  const { id } = await join(server, 'ann')
  const asked = async (what: () => Promise<{ status: number }>): Promise<number[]> =>
    [await what(), await what(), await what(), await what()].map(({ status }) => status)
  t.same(await asked(async () => await server.send('POST', `/Users/${id}/verify`)), [204, 204, 204, 429])
  t.same(
    await asked(async () => await server.send('POST', '/Users/999/verify')),
    [204, 204, 204, 429],
    'for nobody, too'
  )
  t.same(
    await asked(async () => await server.send('POST', '/Users/reset', { json: { email: 'ann@x.test' } })),
    [204, 204, 204, 429]
  )
  t.same(
    await asked(async () => await server.send('POST', '/Users/login', { json: { username: 'ben', password: 'x' } })),
    [401, 401, 401, 429]
  )
  await until(() => usersOf(server).mails.length >= 3)
  await soon()
  t.equal(usersOf(server).mails.length, 3, 'three messages')
})
