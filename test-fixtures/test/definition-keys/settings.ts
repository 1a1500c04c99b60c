/** What each setting of a model does. */
import type { AskedElsewhere, Effect, Loose, Parts, Refused } from './world.js'

export interface SettingEffect extends Effect {
  readonly value: unknown
  /** What else the definition has. */
  readonly model?: object
  /** The model that it extends. */
  readonly base?: object
  readonly parts?: Partial<Parts>
}

const refusal = (statusCode: number): Loose => ({ statusCode })
const find = (filter: object): string => `/Notes?filter=${encodeURIComponent(JSON.stringify(filter))}`
const status = (method: string, path: string, data: unknown, expected: number): Effect['shows'] =>
  async (t, { send }) => { t.equal((await send(method, path, data)).status, expected) }
const tooLong = { it: 'too long' }
const asked = (file: string): AskedElsewhere => ({ provenIn: `packages/${file}` })
const user = { email: 'Ann@example.com', password: 'correct horse battery' }

/** Of the password: it is worked out once, and not for the user of each application. */
let hash: string | undefined

/** A setting of users: the model extends User, and has one user. */
const ofUsers = (
  value: unknown, shows: Effect['shows'], given: object = user, more: object = {}
): SettingEffect => ({
  value,
  model: { base: 'User', properties: {}, relations: {}, ...more },
  parts: { plugins: ['acl'] },
  async shows (t, world) {
    const { password } = await world.Note.create({ ...given, password: hash ?? user.password })
    hash ??= password as string
    await shows(t, world)
  }
})
const login = (data: object, expected: number): Effect['shows'] => status('POST', '/Notes/login', data, expected)
const { email: _, ...secret } = user

export const settingEffects: Readonly<Record<string, SettingEffect | Refused | AskedElsewhere>> = {
  strict: { value: true, shows: status('POST', '/Notes', { other: 1 }, 422) },
  idInjection: { value: false, async shows (t, { Note }) { t.equal(Note.compiled.id, undefined) } },
  forceId: { value: false, async shows (t, { send }) { t.equal((await send('POST', '/Notes', { id: 77 })).body.id, 77) } },
  replaceOnPUT: {
    value: false,
    async shows (t, { Note, send }) {
      await Note.create({ it: 'a', stars: 5 })
      t.match((await send('PUT', '/Notes', { id: 1, it: 'b' })).body, { it: 'b', stars: 5 })
    }
  },
  validateUpsert: {
    value: false,
    async shows (t, { Note }) {
      const { id } = await Note.create({})
      t.match(await Note.updateOrCreate({ id, ...tooLong }), tooLong)
    }
  },
  validateUpdate: {
    value: false,
    async shows (t, { Note }) { t.match(await (await Note.create({})).updateAttributes(tooLong), tooLong) }
  },
  automaticValidation: { value: false, async shows (t, { Note }) { t.match(await Note.create(tooLong), tooLong) } },
  applyDefaultsOnReads: asked('core/test/stored-defaults.test.ts'),
  persistUndefinedAsNull: {
    value: true, async shows (t, { send }) { t.equal((await send('POST', '/Notes', {})).body.it, null) }
  },
  updateOnLoad: asked('rest/test/model-settings.test.ts'),
  hooksInTransaction: {
    value: false,
    async shows (t, { Note }) {
      Note.observe('after save', async () => { throw new Error('late') })
      await t.rejects(Note.create({}))
      t.equal(await Note.count(), 1)
    }
  },
  strictEmbeddedModels: { value: true, shows: status('POST', '/Notes', { box: { odd: 1 } }, 422) },
  strictDelete: { value: true, async shows (t, { Note }) { await t.rejects(Note.deleteById(99), refusal(404)) } },
  accessOnReplace: {
    value: false,
    async shows (t, { Note, send }) {
      await Note.create({ it: 'a' })
      Note.observe('access', async (ctx: Loose) => { ctx.query.where = { it: 'none' } })
      t.equal((await send('PUT', '/Notes/1', { it: 'b' })).status, 200)
    }
  },
  readOnlyProperties: {
    value: 'ignore',
    async shows (t, { send }) { t.notOk((await send('POST', '/Notes', { fixed: 'x' })).body.fixed) }
  },
  nestedWrites: {
    value: 'ignore',
    async shows (t, { send, told }) {
      t.equal((await send('POST', '/Notes', { pages: [{ title: 'x' }] })).status, 200)
      t.ok(told.some(line => line.includes('"pages", which is a relation')))
    }
  },
  maxNestedRows: {
    value: 1, model: { relations: { pages: { type: 'hasMany', model: 'Page', foreignKey: 'noteId', nestedWrite: true } } },
    async shows (t, { send }) {
      t.equal((await send('POST', '/Notes', { pages: [{ title: 'x' }] })).status, 200)
      t.equal((await send('POST', '/Notes', { pages: [{ title: 'x' }, { title: 'y' }] })).body.error.code, 'NESTED_ROWS_LIMIT')
    }
  },
  bulk: {
    value: true,
    async shows (t, { Note, send }) {
      await Note.create({ it: 'a' })
      t.strictSame((await send('PATCH', '/Notes/bulk', { ids: [1], data: { it: 'b' } })).body, { count: 1 })
    }
  },
  live: {
    value: true,
    async shows (t, { Note }) {
      const stream = await Note.live({})
      t.equal(stream.readableObjectMode, true)
      stream.destroy()
      t.ok(Note.sharedClass.methods({}).some(({ name }: { name: string }) => name === 'live'))
    }
  },
  maxLiveRows: {
    value: 1, model: { live: true },
    async shows (t, { send }) {
      t.equal((await send('GET', '/Notes/live?filter={"limit":2}')).body.error.code, 'LIVE_QUERY_TOO_LARGE')
    }
  },
  maxLiveQueries: {
    value: 1, model: { live: true },
    async shows (t, { Note, send }) {
      const stream = await Note.live({})
      t.equal((await send('GET', '/Notes/live')).body.error.code, 'TOO_MANY_LIVE_QUERIES')
      stream.destroy()
    }
  },
  maxBulkRows: {
    value: 1, model: { bulk: true },
    async shows (t, { send }) {
      t.equal((await send('PATCH', '/Notes/bulk', { ids: [1, 2], data: {} })).body.error.code, 'BULK_LIMIT')
    }
  },
  propertyKeywords: {
    value: 'ignore',
    async shows (t, { send, told }) {
      t.equal((await send('POST', '/Notes', { mail: 'none' })).status, 200)
      t.ok(told.some(line => line.includes('"mail" of "Note" says "format"')))
    }
  },
  version: {
    value: true,
    async shows (t, { Note, send }) {
      await Note.create({ it: 'a' })
      t.equal((await send('PATCH', '/Notes/1', { it: 'b' }, { 'if-match': '"7"' })).status, 412)
    }
  },
  softDelete: {
    value: true,
    async shows (t, { Note, send }) {
      await Note.create({ it: 'a' })
      await Note.deleteById(1)
      t.equal(await Note.count(), 0)
      t.equal((await send('POST', '/Notes/1/restore')).status, 200)
    }
  },
  history: {
    value: true,
    async shows (t, { Note, send }) {
      await Note.create({ it: 'a' })
      t.equal((await send('GET', '/Notes/1/history')).status, 200)
    }
  },
  // Only with @fastback/events, which these applications have not.
  events: asked('events/test/webhooks/deliveries.test.ts'),
  etag: {
    value: true,
    async shows (t, { Note, send }) {
      await Note.create({ it: 'a' })
      t.equal((await send('PATCH', '/Notes/1', { it: 'b' }, { 'if-match': '"7"' })).status, 412)
    }
  },
  requireMatch: {
    value: true, model: { version: true },
    async shows (t, { Note, send }) {
      await Note.create({ it: 'a' })
      t.equal((await send('PATCH', '/Notes/1', { it: 'b' })).status, 428)
    }
  },
  patchDocuments: {
    value: false,
    async shows (t, { Note, send }) {
      await Note.create({ it: 'a' })
      const headers = { 'content-type': 'application/merge-patch+json' }
      t.equal((await send('PATCH', '/Notes/1', '{"it":"b"}', headers)).status, 415)
    }
  },
  atomicCreate: {
    value: false,
    async shows (t, { Note }) {
      await t.rejects(Note.create([{ it: 'a' }, tooLong]))
      t.equal(await Note.count(), 1)
    }
  },
  bufferFormat: {
    value: 'loopback',
    async shows (t, { Note, send }) {
      await Note.create({ bytes: Buffer.from('a') })
      t.match((await send('GET', '/Notes/1')).body.bytes, { type: 'Buffer', data: [97] })
    }
  },
  configureModelMerge: {
    value: { mine: { replace: true } }, base: { mine: [1] }, model: { mine: [2] },
    async shows (t, { Note }) { t.strictSame(Note.settings.mine, [2]) }
  },
  excludeBaseProperties: {
    value: ['basic'], base: { properties: { basic: 'string' } },
    async shows (t, { Note }) { t.notOk(Note.compiled.propertyByName.has('basic')) }
  },
  hideInternalProperties: { refused: true },
  validations: { refused: [{ it: 'presence' }] },
  description: {
    value: 'What it is',
    async shows (t, { document }) { t.equal(document().tags.find((tag: Loose) => tag.name === 'Note').description, 'What it is') }
  },
  indexes: {
    value: { once: { keys: { it: 1 }, options: { unique: true } } },
    async shows (t, { Note }) {
      await Note.create({ it: 'a' })
      await t.rejects(Note.create({ it: 'a' }))
    }
  },
  foreignKeys: { refused: { page: {} } },
  maxLimit: { value: 2, shows: status('GET', find({ limit: 3 }), undefined, 400) },
  streaming: {
    value: { rows: 1 },
    async shows (t, { Note, send }) {
      await Note.create({})
      const asked = (): Promise<{ status: number }> => send('GET', '/Notes', undefined, { accept: 'application/x-ndjson' })
      t.equal((await asked()).status, 200)
      await Note.create({})
      t.equal((await asked()).status, 400, 'one row too many')
    }
  },
  idempotency: {
    value: { required: true },
    shows: status('POST', '/Notes', { it: 'a' }, 400)
  },
  maxDepthOfQuery: {
    value: 1, shows: status('GET', find({ where: { and: [{ and: [{ and: [{ it: 'a' }] }] }] } }), undefined, 400)
  },
  maxDepthOfData: { value: 2, shows: status('POST', '/Notes', { any: { a: { b: { c: { d: 1 } } } } }, 422) },
  inqLimit: asked('core/test/include.test.ts'),
  allowExtendedOperators: {
    value: true,
    async shows (t, { Note }) {
      await Note.create({ stars: 5 })
      t.equal((await Note.find({ where: { stars: { $gt: 2 } } })).length, 1)
    }
  },
  prohibitHiddenPropertiesInQuery: { refused: true },
  prohibitProtectedPropertiesInQuery: { value: true, shows: status('GET', find({ where: { shy: 'x' } }), undefined, 400) },
  unknownFilterKeys: {
    value: 'ignore',
    model: { relatedConditions: false, aggregates: false },
    async shows (t, { send, told }) {
      t.equal((await send('GET', find({ distinct: 'it' }))).status, 200)
      t.equal((await send('GET', find({ where: { pages: 'x' }, order: 'pages' }))).status, 200)
      t.equal(told.filter(line => /"distinct" of "Note" has no effect|names "pages"/.test(line)).length, 3)
    }
  },
  aggregates: { value: false, shows: status('GET', `/Notes/aggregate?filter=${encodeURIComponent('{"groupBy":["it"]}')}`, undefined, 404) },
  relatedConditions: { value: false, shows: status('GET', find({ where: { pages: { some: {} } } }), undefined, 400) },
  cursors: { value: false, shows: status('GET', find({ after: '' }), undefined, 400) },
  includeBeyondFields: asked('core/test/in-process-ways.test.ts'),
  normalizeUndefinedInQuery: {
    value: 'throw',
    async shows (t, { Note }) { await t.rejects(Note.find({ where: { it: undefined } }), refusal(400)) }
  },
  strictObjectIDCoercion: asked('connector-mongodb/test/object-ids.test.ts'),
  http: { value: { path: 'papers' }, shows: status('GET', '/papers', undefined, 200) },
  remoting: { value: { sharedMethods: { find: false } }, shows: status('GET', '/Notes', undefined, 404) },
  remoteMethods: { refused: { greet: {} } },
  coercion: {
    value: 'loopback3', async shows (t, { send }) { t.equal((await send('POST', '/Notes', { stars: '5' })).body.stars, 5) }
  },
  changeStream: asked('rest/test/streams.test.ts'),
  injectOptionsFromRemoteContext: { refused: true },
  resourceName: asked('connector-rest/test/resource.test.ts'),
  defaultPermission: { value: 'DENY', parts: { plugins: ['acl'] }, shows: status('GET', '/Notes', undefined, 401) },
  aclErrorStatus: {
    value: 404,
    parts: { plugins: ['acl'], shown: ['User'] },
    model: { acls: [{ permission: 'DENY', principalType: 'ROLE', principalId: '$everyone' }] },
    async shows (t, { models, send }) {
      await models.User.create(user)
      const { body } = await send('POST', '/Users/login', user)
      t.equal((await send('GET', '/Notes', undefined, { authorization: body.id })).status, 404)
    }
  },
  ownerRelations: {
    value: ['editor'],
    parts: { plugins: ['acl'], shown: ['User'] },
    model: {
      relations: {
        author: { type: 'belongsTo', model: 'User' }, editor: { type: 'belongsTo', model: 'User' }
      },
      acls: [
        { permission: 'DENY', principalType: 'ROLE', principalId: '$everyone' },
        { permission: 'ALLOW', principalType: 'ROLE', principalId: '$owner' }
      ]
    },
    async shows (t, { Note, models, send }) {
      const { id } = await models.User.create(user)
      await Note.create({ editorId: id })
      const { body } = await send('POST', '/Users/login', user)
      t.equal((await send('GET', '/Notes/1', undefined, { authorization: body.id })).status, 200)
    }
  },
  ownerFromToken: asked('acl/test/owner-from-token.test.ts'),
  relatedAccess: { provenIn: 'test-fixtures/test/security/related-routes.test.ts' },
  includeAccess: asked('acl/test/guard.test.ts'),
  tenant: asked('acl/test/rows-of-requests.test.ts'),
  deprecated: { provenIn: 'packages/rest/test/deprecation.test.ts' },
  enforceRows: asked('acl/test/tried-rules.test.ts'),
  executeAllowsAll: asked('acl/test/guard.test.ts'),
  realmRequired: ofUsers(true, login(user, 400), { ...user, realm: 'r' }),
  realmDelimiter: ofUsers(':', login({ ...user, email: `r:${user.email}` }, 200), { ...user, realm: 'r' }, { realmRequired: true }),
  caseSensitiveEmail: ofUsers(false, login({ ...secret, email: 'ann@EXAMPLE.com' }, 200)),
  emailVerificationRequired: ofUsers(true, login(user, 401)),
  rejectPasswordChangesViaPatchOrReplace: ofUsers(true, async (t, { Note }) => {
    await t.rejects((await Note.findOne()).patchAttributes({ password: 'another long password' }))
  }),
  restrictResetPasswordTokenScope: asked('auth/test/own-functions.test.ts'),
  statusLocks: { provenIn: 'test-fixtures/test/security/locked-users.test.ts' },
  accountAnswerTime: ofUsers(300, async (t, { send }) => {
    const before = performance.now()
    await send('POST', '/Notes/reset', { email: 'nobody@example.com' })
    t.ok(performance.now() - before > 280)
  }),
  resetPasswordTokenTTL: ofUsers(77, async (t, { Note }) => {
    const told = new Promise<Loose>(resolve => Note.once('resetPasswordRequest', resolve))
    await Note.resetPassword({ email: user.email })
    t.equal((await told).accessToken.ttl, 77)
  }),
  verificationTokenTTL: asked('auth/test/hostile.test.ts'),
  verifyOptions: ofUsers({ from: 'a@b.c' }, async (t, { Note }) => { t.equal(Note.getVerifyOptions().from, 'a@b.c') }),
  redirectWhitelist: asked('auth/test/hostile.test.ts'),
  allowUserEnumeration: ofUsers(true, status('POST', '/Notes/reset', { email: 'nobody@example.com' }, 404)),
  secondFactor: { provenIn: 'packages/login/test/second-factor.test.ts' },
  saltWorkFactor: { refused: 10 },
  ttl: ofUsers(77, async (t, { send }) => { t.equal((await send('POST', '/Notes/login', user)).body.ttl, 77) }),
  maxTTL: ofUsers(88, async (t, { send }) => {
    t.equal((await send('POST', '/Notes/login', { ...user, ttl: 1000 })).body.ttl, 88)
  }),
  allowEternalTokens: asked('auth/test/lookups.test.ts'),
  accessTokenIdLength: {
    value: 77,
    model: { base: 'AccessToken', properties: {}, relations: {} },
    parts: { plugins: ['acl'] },
    async shows (t, { Note }) { t.equal((await Note.createAccessTokenId()).length, 77) }
  },
  trackChanges: {
    value: true,
    parts: { plugins: ['sync'] },
    async shows (t, { Note }) {
      await Note.create({ it: 'a' })
      t.equal((await Note.changes(-1, {})).length, 1)
    }
  },
  enableRemoteReplication: asked('sync/test/change-lists.test.ts'),
  changeCleanupInterval: asked('sync/test/change-lists.test.ts'),
  replicationChunkSize: asked('sync/test/change-lists.test.ts'),
  additionalChangeModelProperties: asked('sync/test/change-lists.test.ts'),
  tombstoneTtl: asked('sync/test/protocol.test.ts'),
  sync: asked('sync/test/protocol.test.ts'),
  hashAlgorithm: {
    value: 'sha256',
    model: { trackChanges: true },
    parts: { plugins: ['sync'] },
    async shows (t, { Note }) {
      await Note.create({ it: 'a' })
      t.match((await Note.changes(-1, {}))[0].rev, /^[0-9a-f]{64}$/)
    }
  }
}
