// FASTBACK_TEST_FULL: two folders are started for each rule of the audit.
/**
 * Each rule of the audit on two folders: one that has the finding, and one that is the same but for what the finding
 * says closes it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { audit, auditRules, type Finding } from '../src/audit/index.js'

type Files = Readonly<Record<string, unknown>>
interface Case {
  readonly open: Files
  readonly closed: Files
  /** Where the finding is, and more of it. */
  readonly at: Partial<Finding>
  readonly env?: string
}

/** What stands for an environment variable in a configuration. */
const variable = (name: string): string => `\${${name}}`

/** Access control on; users and one model that is closed. What a case adds lies over it. */
const base: Files = {
  'package.json': { type: 'module' },
  'server/config.json': { port: 0, host: '127.0.0.1' },
  'server/datasources.json': { db: { connector: 'memory' } },
  'server/boot/authentication.js': 'export default app => { app.enableAuth() }',
  'server/model-config.json': {
    User: {
      dataSource: 'db',
      public: true,
      options: { restrictResetPasswordTokenScope: true, rejectPasswordChangesViaPatchOrReplace: true }
    },
    Role: { dataSource: 'db', public: false },
    Note: { dataSource: 'db' }
  }
}
const models = base['server/model-config.json'] as Record<string, object>

const row = (permission: string, principalId: string, more: object = {}) => ({
  principalType: 'ROLE',
  principalId,
  permission,
  ...more
})
const shut = row('DENY', '$everyone')
const note = (acls: readonly object[], more: object = {}): Files => ({
  'common/models/note.json': { name: 'Note', strict: true, properties: { title: 'string' }, ...more, acls }
})
const closed = note([shut])
const config = (settings: object): Files => ({
  ...closed,
  'server/config.json': { ...(base['server/config.json'] as object), ...settings }
})
const middleware = (phases: object): Files => ({
  ...closed,
  'server/middleware.json': { initial: {}, routes: { 'loopback#rest': { paths: ['/api'] } }, ...phases }
})
const users = (options: object): Files => ({
  ...closed,
  'server/model-config.json': {
    ...models,
    User: { dataSource: 'db', public: true, options: { ...(models.User as { options: object }).options, ...options } }
  }
})
const oauth = (options: object): Files => ({
  ...closed,
  'server/component-config.json': {
    '@fastback/oauth2': {
      dataSource: 'db',
      issuer: 'https://op.example',
      impliedDefaultScope: false,
      supportedGrantTypes: ['authorizationCode'],
      ...options
    }
  }
})
const login = (entry: object): Files => ({
  ...closed,
  'server/component-config.json': {
    '@fastback/login': {
      secret: 'sixteen letters or more',
      origin: 'https://shop.example',
      providers: { google: { preset: 'google', clientID: 'x', session: true, ...entry } }
    }
  }
})
const named = { foreignKey: 'userId', discriminator: 'principalType' }
/** Two user models, with their relations to tokens. */
const members = (relations: object, settings: object): Files => ({
  ...config(settings),
  'common/models/customer.json': {
    name: 'Customer',
    base: 'User',
    restrictResetPasswordTokenScope: true,
    rejectPasswordChangesViaPatchOrReplace: true,
    relations
  },
  'common/models/seller.json': {
    name: 'Seller',
    base: 'User',
    restrictResetPasswordTokenScope: true,
    rejectPasswordChangesViaPatchOrReplace: true,
    relations
  },
  'common/models/pass.json': {
    name: 'Pass',
    base: 'AccessToken',
    relations: { user: { type: 'belongsTo', polymorphic: { ...named, idType: 'number' } } }
  },
  'server/model-config.json': {
    Role: { dataSource: 'db', public: false },
    Note: { dataSource: 'db' },
    Customer: { dataSource: 'db' },
    Seller: { dataSource: 'db' },
    ...(Object.keys(relations).length === 0
      ? { AccessToken: { dataSource: 'db', public: false } }
      : { Pass: { dataSource: 'db', public: false } })
  }
})

/** Two user models, and a data source with files. */
function withFiles (containerOwner: unknown): Files {
  const told = members({ accessTokens: { type: 'hasMany', model: 'Pass', polymorphic: named, options: { disableInclude: true } } }, {})
  return {
    ...told,
    'server/datasources.json': {
      db: { connector: 'memory' },
      files: { connector: 'loopback-component-storage', provider: 'filesystem', root: 'files', containerOwner }
    }
  }
}
const guard = 'export default () => (req, res, next) => { next() }'
/** A model that everybody reads, with a relation to itself. */
const circle = (settings: object): Files => ({
  ...config(settings),
  ...note([row('ALLOW', '$everyone')], {
    relations: { parent: { type: 'belongsTo', model: 'Note', foreignKey: 'parentId' } }
  })
})
const definition = { file: 'common/models/note.json' }

/** A parent whose rows everybody reads, and notes below it that only their owner may read. */
const family = (parent: object, child: object = {}, settings: object = {}): Files => ({
  ...note([shut, row('ALLOW', '$owner')], {
    properties: { title: 'string', userId: 'number' },
    ownerFromToken: true,
    ...child
  }),
  'common/models/folder.json': {
    name: 'Folder',
    properties: { name: 'string' },
    relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'folderId' } },
    ...parent
  },
  'server/model-config.json': { ...models, Folder: { dataSource: 'db' } },
  'server/config.json': { ...(base['server/config.json'] as object), ...settings }
})
const reading = { acls: [shut, row('ALLOW', '$everyone', { accessType: 'READ', property: ['find', 'findById'] })] }

const cases: Readonly<Record<string, Case>> = {
  FBK_AUDIT_ACCESS_CONTROL_OFF: {
    open: { ...closed, 'server/boot/authentication.js': 'export default app => {}' },
    closed,
    at: { severity: 'high', file: 'server/boot/authentication.js' }
  },
  FBK_AUDIT_OPEN_MODEL: {
    open: note([]),
    closed: note([row('ALLOW', '$everyone')]),
    at: { severity: 'high', ...definition, key: 'acls' }
  },
  FBK_AUDIT_BUILTIN_OPEN: {
    open: { ...closed, 'server/model-config.json': { ...models, Role: { dataSource: 'db' } } },
    closed: { ...closed, 'server/model-config.json': { ...models, Role: { dataSource: 'db', acls: [shut] } } },
    at: { severity: 'high', file: 'server/model-config.json', key: 'Role.public' }
  },
  FBK_AUDIT_ALLOW_WITHOUT_DENY: {
    open: note([row('ALLOW', '$authenticated')]),
    closed: note([row('ALLOW', '$authenticated'), shut]),
    at: { severity: 'high', ...definition, key: 'acls[0]', line: 8 }
  },
  FBK_AUDIT_ALLOW_WIDER: {
    open: note([shut, row('ALLOW', 'editor', { accessType: 'WRITE' }), row('ALLOW', '$authenticated')]),
    closed: note([
      shut,
      row('ALLOW', 'editor', { accessType: 'WRITE' }),
      row('ALLOW', '$authenticated', { accessType: 'READ' })
    ]),
    at: { ...definition, key: 'acls[1]' }
  },
  FBK_AUDIT_METHOD_WITHOUT_RULE: {
    open: note([row('DENY', '$everyone', { accessType: 'WRITE' })]),
    closed: note([
      row('DENY', '$everyone', { accessType: 'WRITE' }),
      row('ALLOW', '$everyone', { accessType: 'READ' })
    ]),
    at: { severity: 'low', ...definition, key: 'acls' }
  },
  FBK_AUDIT_ROW_NEVER_MATCHES: {
    open: note([row('ALLOW', '$everyone'), row('DENY', '$everyone', { property: 'deletebyId' })]),
    closed: note([row('ALLOW', '$everyone'), row('DENY', '$everyone', { property: 'deleteById' })]),
    at: { severity: 'high', ...definition, key: 'acls[1].property', fix: '"property": "deleteById"' }
  },
  FBK_AUDIT_NAMES_NO_PROPERTY: {
    open: note([shut], { properties: { secret: 'string' }, hidden: ['secrte'] }),
    closed: note([shut], { properties: { secret: 'string' }, hidden: ['secret'] }),
    at: { severity: 'high', ...definition, key: 'hidden', fix: '"secret"' }
  },
  FBK_AUDIT_ROW_SHADOWED: {
    open: note([shut, row('ALLOW', '$everyone')]),
    closed: note([shut, row('ALLOW', '$everyone', { accessType: 'READ' })]),
    at: { ...definition, key: 'acls[1]' }
  },
  FBK_AUDIT_UNKNOWN_ROLE: {
    open: note([shut, row('ALLOW', '$ownr')]),
    closed: note([shut, row('ALLOW', 'editor')]),
    at: { ...definition, key: 'acls[1].principalId', fix: '"principalId": "$owner"' }
  },
  FBK_AUDIT_EXECUTE_OPENS_ALL: {
    open: {
      ...config({ executeAllowsAll: true }),
      ...note([shut, row('ALLOW', '$authenticated', { accessType: 'EXECUTE' })])
    },
    closed: note([shut, row('ALLOW', '$authenticated', { accessType: 'EXECUTE' })]),
    at: { ...definition, key: 'acls[1]' }
  },
  FBK_AUDIT_INCLUDE_PASSES_RULES: {
    open: family(reading),
    closed: family(reading, {}, { includeAccess: 'related' }),
    at: { file: 'common/models/folder.json', key: 'relations.notes', fix: '"relatedAccess": "related"' }
  },
  FBK_AUDIT_RELATION_PASSES_RULES: {
    open: family({ acls: [shut, row('ALLOW', '$authenticated')] }, {}, { includeAccess: 'related' }),
    closed: family(
      {
        acls: [
          shut,
          row('ALLOW', '$authenticated'),
          row('ALLOW', '$authenticated', { property: ['__get__notes', '__findById__notes', '__count__notes'] }),
          row('DENY', '$everyone', {
            property: ['__create__notes', '__updateById__notes', '__destroyById__notes', '__delete__notes']
          })
        ]
      },
      {},
      { includeAccess: 'related' }
    ),
    at: {
      severity: 'high', file: 'common/models/folder.json', key: 'relations.notes', fix: '"relatedAccess": "related"'
    }
  },
  FBK_AUDIT_OWNER_FROM_CLIENT: {
    open: note([shut, row('ALLOW', '$owner'), row('ALLOW', '$authenticated', { property: 'create' })], {
      properties: { userId: 'number' }
    }),
    closed: note([shut, row('ALLOW', '$owner'), row('ALLOW', '$authenticated', { property: 'create' })], {
      properties: { userId: 'number' },
      ownerFromToken: true
    }),
    at: { severity: 'high', ...definition, key: 'ownerFromToken' }
  },
  FBK_AUDIT_OWNER_LISTS: {
    open: note([shut, row('ALLOW', '$owner'), row('ALLOW', '$authenticated', { property: ['find', 'count'] })]),
    closed: note([
      shut, row('ALLOW', '$owner'), row('ALLOW', '$authenticated', { property: ['find', 'count'], rows: 'own' })
    ]),
    at: { severity: 'medium', ...definition, key: 'acls' }
  },
  FBK_AUDIT_PRIVILEGES_FROM_CLIENT: {
    open: note([shut, row('ALLOW', '$authenticated')], { properties: { is_admin: 'boolean' } }),
    closed: note([shut, row('ALLOW', '$authenticated', { fields: { write: ['*', '-is_admin'] } })], {
      properties: { is_admin: 'boolean' }
    }),
    at: { severity: 'medium', ...definition, key: 'properties.is_admin' }
  },
  FBK_AUDIT_ROWS_WITHOUT_INDEX: {
    open: note([shut, row('ALLOW', '$authenticated', { accessType: 'READ', rows: { or: [{ by: '$user.id' }, { title: 'x' }] } })], {
      properties: { by: 'number', title: 'string' }
    }),
    closed: note([shut, row('ALLOW', '$authenticated', { accessType: 'READ', rows: { or: [{ by: '$user.id' }, { title: 'x' }] } })], {
      properties: { by: { type: 'number', index: true }, title: 'string' }
    }),
    at: { severity: 'low', ...definition, key: 'properties.by' }
  },
  FBK_AUDIT_HIDDEN_BY_UPDATE_ALL: {
    open: {
      ...note([row('ALLOW', '$everyone')], { properties: { pin: 'string' }, hidden: ['pin'] }),
      'common/models/note.js':
        "export default Note => { Note.observe('before save', async ({ instance }) => { if (instance) instance.pin = hash(instance.pin) }) }"
    },
    closed: {
      ...note([row('ALLOW', '$everyone')], { properties: { pin: 'string' }, hidden: ['pin'] }),
      'common/models/note.js':
        "export default Note => { Note.observe('before save', async ({ instance, data }) => { const row = instance ?? data; row.pin = hash(row.pin) }) }"
    },
    at: { file: 'server/model-config.json', key: 'Note.options.remoting.sharedMethods.updateAll' }
  },
  FBK_AUDIT_POLYMORPHIC_TO_NOWHERE: {
    open: note([shut], { relations: { about: { type: 'belongsTo', polymorphic: true } } }),
    closed: note([shut], {
      relations: { about: { type: 'belongsTo', polymorphic: { selector: 'about', models: ['Note'] } } }
    }),
    at: { severity: 'low', ...definition, key: 'relations.about' }
  },
  FBK_AUDIT_ROWS_OUT_OF_SIGHT: {
    open: {
      ...note([row('ALLOW', '$everyone')]),
      'common/models/note.js': "export default Note => { Note.observe('access', async () => {}) }"
    },
    closed: {
      ...note([row('ALLOW', '$everyone')], { accessOnReplace: true }),
      'common/models/note.js': "export default Note => { Note.observe('access', async () => {}) }"
    },
    at: { severity: 'medium', ...definition, key: 'accessOnReplace' }
  },
  FBK_AUDIT_GUARD_BY_PATH: {
    open: {
      ...middleware({ initial: { './guard': { paths: ['/api/notes'] } } }),
      ...note([]),
      'server/guard.js': guard
    },
    closed: {
      ...middleware({ initial: { './guard': { paths: ['/api/notes'] } } }),
      ...closed,
      'server/guard.js': guard
    },
    at: { severity: 'medium', file: 'server/middleware.json', key: 'initial["./guard"]' }
  },
  FBK_AUDIT_USERS_UNDER_OAUTH: {
    open: oauth({ authenticate: [{ paths: '/api', options: { scope: 'all' } }] }),
    closed: oauth({ authenticate: [{ paths: '/api/notes', options: { scope: 'all' } }] }),
    at: { severity: 'low', file: 'server/component-config.json', key: '["@fastback/oauth2"].authenticate' }
  },
  FBK_AUDIT_SESSION_FROM_TOKEN: {
    open: oauth({ authenticate: [{ paths: '/api/notes', options: { session: true } }] }),
    closed: oauth({ authenticate: [{ paths: '/api/notes', options: { session: false } }] }),
    at: { severity: 'low', file: 'server/component-config.json' }
  },
  FBK_AUDIT_REGEXP_FOR_ALL: {
    open: { ...config({ queryLimits: { patternLength: 1000 } }), ...note([row('ALLOW', '$everyone')]) },
    closed: config({ queryLimits: { patternLength: 1000 } }),
    at: { severity: 'low', file: 'server/config.json', key: 'queryLimits.patternLength' }
  },
  FBK_AUDIT_INCLUDE_CIRCLE: {
    open: circle({ queryLimits: { includeDepth: 12 } }),
    closed: circle({ queryLimits: { includeDepth: 4 } }),
    at: {
      severity: 'low',
      file: 'server/config.json',
      key: 'queryLimits.includeDepth',
      what: 'Include may go round: Note → parent → Note.'
    }
  },
  FBK_AUDIT_UNTYPED_TOKENS: {
    open: members({}, { auth: { untypedTokens: 'Customer' } }),
    closed: members(
      { accessTokens: { type: 'hasMany', model: 'Pass', polymorphic: named, options: { disableInclude: true } } },
      {}
    ),
    at: { severity: 'high', file: 'server/config.json', key: 'auth.untypedTokens' }
  },
  FBK_AUDIT_CONTAINER_OWNER: {
    open: withFiles('userId'),
    closed: withFiles({ model: 'Member' }),
    at: { severity: 'high', file: 'server/datasources.json', key: 'files.containerOwner' }
  },
  FBK_AUDIT_TYPESCRIPT_NOT_LOADED: {
    open: { ...closed, 'common/mixins/lock.ts': '' },
    closed: { ...closed, 'common/mixins/lock.ts': '', 'common/mixins/lock.js': '' },
    at: { severity: 'low', file: 'common/mixins/lock.ts' }
  },
  FBK_AUDIT_ETERNAL_TOKENS: {
    open: users({ allowEternalTokens: true }),
    closed: users({ maxTTL: 3600 }),
    at: { file: 'server/model-config.json', key: 'User.options.allowEternalTokens' }
  },
  FBK_AUDIT_RESET_TOKEN_SCOPE: {
    open: users({ restrictResetPasswordTokenScope: false }),
    closed,
    at: { file: 'server/model-config.json', key: 'User.options.restrictResetPasswordTokenScope' }
  },
  FBK_AUDIT_PASSWORD_BY_PATCH: {
    open: users({ rejectPasswordChangesViaPatchOrReplace: false }),
    closed,
    at: { file: 'server/model-config.json', key: 'User.options.rejectPasswordChangesViaPatchOrReplace' }
  },
  FBK_AUDIT_USER_ENUMERATION: {
    open: users({ allowUserEnumeration: true }),
    closed,
    at: { severity: 'low', key: 'User.options.allowUserEnumeration' }
  },
  FBK_AUDIT_SHORT_PASSWORDS: {
    open: note([shut, row('ALLOW', 'editor')]),
    closed: { ...config({ auth: { passwordPolicy: { minLength: 8 } } }), ...note([shut, row('ALLOW', 'editor')]) },
    at: { severity: 'low', key: 'User.options.secondFactor' }
  },
  FBK_AUDIT_OAUTH_GRANTS: {
    open: oauth({ supportedGrantTypes: ['authorizationCode', 'implicit'] }),
    closed: oauth({}),
    at: { file: 'server/component-config.json', key: '@fastback/oauth2'.replace(/.*/, '["$&"].supportedGrantTypes') }
  },
  FBK_AUDIT_OAUTH_SCOPES: {
    open: oauth({ impliedDefaultScope: true }),
    closed: oauth({ impliedDefaultScope: true, authenticate: [{ paths: '/api', options: { scope: 'all' } }] }),
    at: { file: 'server/component-config.json' }
  },
  FBK_AUDIT_OAUTH_WEAKENED: {
    open: oauth({ requirePkce: 'none' }),
    closed: oauth({ requirePkce: 'all' }),
    at: { severity: 'high', key: '["@fastback/oauth2"].requirePkce' }
  },
  FBK_AUDIT_LOGIN_WEAKENED: {
    open: login({ trustEmail: true }),
    closed: login({}),
    at: { severity: 'high', file: 'server/component-config.json', key: '["@fastback/login"].providers.google.trustEmail' }
  },
  FBK_AUDIT_CORS_CREDENTIALS: {
    open: middleware({ initial: { cors: { params: { origin: true, credentials: true } } } }),
    closed: middleware({ initial: { cors: { params: { origin: ['https://app.example'], credentials: true } } } }),
    at: { severity: 'high', file: 'server/middleware.json', key: 'initial.cors.params.origin', line: 5 }
  },
  FBK_AUDIT_COOKIE_FLAGS: {
    open: oauth({ session: { secure: false } }),
    closed: oauth({ session: { secure: true } }),
    at: { key: '["@fastback/oauth2"].session.secure' }
  },
  FBK_AUDIT_DEBUG_ERRORS: {
    open: middleware({ 'final:after': { 'strong-error-handler': { params: { debug: true } } } }),
    closed: middleware({ 'final:after': { 'strong-error-handler': { params: { debug: false } } } }),
    at: { severity: 'high', file: 'server/middleware.json', key: '["final:after"].strong-error-handler.params.debug' }
  },
  FBK_AUDIT_EXPLORER_OPEN: {
    open: { ...closed, 'server/component-config.json': { 'loopback-component-explorer': { mountPath: '/explorer' } } },
    closed: {
      ...closed,
      'server/component-config.json': { 'loopback-component-explorer': { mountPath: '/explorer' } },
      'server/component-config.production.json': { 'loopback-component-explorer': null }
    },
    at: { severity: 'low', file: 'server/component-config.json', key: 'loopback-component-explorer' }
  },
  FBK_AUDIT_ADMIN_OPEN: {
    open: { ...closed, 'server/component-config.json': { '@fastback/admin': { enabled: true } } },
    closed: { ...closed, 'server/component-config.json': { '@fastback/admin': { path: '/office' } } },
    at: { severity: 'low', file: 'server/component-config.json', key: '["@fastback/admin"].enabled' }
  },
  FBK_AUDIT_STUDIO_OPEN: {
    open: { ...closed, 'server/component-config.json': { '@fastback/studio': { enabled: true } } },
    closed: { ...closed, 'server/component-config.json': { '@fastback/studio': { home: true } } },
    at: { severity: 'low', file: 'server/component-config.json', key: '["@fastback/studio"].enabled' }
  },
  FBK_AUDIT_STATIC_SERVES_FOLDER: {
    open: middleware({ files: { 'loopback#static': { params: '$!../' } } }),
    closed: middleware({ files: { 'loopback#static': { params: '$!../client' } } }),
    at: { severity: 'high', key: 'files["loopback#static"].params' }
  },
  FBK_AUDIT_TRUST_PROXY: {
    open: config({ 'trust proxy': true }),
    closed: config({ 'trust proxy': '127.0.0.1' }),
    at: { file: 'server/config.json', key: '["trust proxy"]' }
  },
  FBK_AUDIT_NO_TIMEOUT: {
    open: config({ server: { requestTimeout: 0 } }),
    closed: config({ server: { requestTimeout: 1000 } }),
    at: { file: 'server/config.json', key: 'server.requestTimeout' }
  },
  FBK_AUDIT_NO_RATE_LIMIT: {
    open: config({ auth: { rateLimit: false } }),
    closed: config({ auth: { rateLimit: {} } }),
    at: { key: 'auth.rateLimit' }
  },
  FBK_AUDIT_TLS_NOT_VERIFIED: {
    open: {
      ...closed,
      'server/datasources.json': {
        db: { connector: 'memory' },
        up: { connector: 'rest', crud: true, options: { rejectUnauthorized: false } }
      }
    },
    closed: {
      ...closed,
      'server/datasources.json': { db: { connector: 'memory' }, up: { connector: 'rest', options: { strictSSL: true } } }
    },
    at: { file: 'server/datasources.json', key: 'up.options.rejectUnauthorized' }
  },
  FBK_AUDIT_BODY_LIMIT: {
    open: config({ remoting: { json: { limit: '50mb' } } }),
    closed: config({ remoting: { json: { limit: '1mb' } } }),
    at: { key: 'remoting.json.limit' }
  },
  FBK_AUDIT_QUERY_DEPTH: {
    open: config({ maxDepthOfQuery: 10_000 }),
    closed: config({ maxDepthOfQuery: 20 }),
    at: { severity: 'low', key: 'maxDepthOfQuery' }
  },
  FBK_AUDIT_QUERY_LIMITS: {
    open: config({ queryLimits: { values: 1e6 } }),
    closed: config({ queryLimits: { values: 6000 }, remoting: { rest: { limits: { objectText: 32_768 } } } }),
    at: { severity: 'low', key: 'queryLimits.values' }
  },
  FBK_AUDIT_NO_LOAD_SHEDDING: {
    open: config({ server: { underPressure: false } }),
    closed: config({ server: { underPressure: true } }),
    at: { severity: 'low', key: 'server.underPressure' }
  },
  FBK_AUDIT_SECRET_IN_CONFIG: {
    open: {
      ...closed,
      'server/datasources.json': { db: { connector: 'memory', url: 'postgres://shop:hunter2@db.example/shop' } }
    },
    closed: {
      ...closed,
      'server/datasources.json': {
        db: { connector: 'memory', url: `postgres://shop:${variable('DB_PASSWORD')}@db.example/shop` }
      }
    },
    at: { severity: 'high', file: 'server/datasources.json', key: 'db.url', line: 4 }
  },
  FBK_AUDIT_SECRET_FILE: {
    open: { ...closed, '.env': 'DB_PASSWORD=hunter2\n' },
    closed: { ...closed, '.env': 'DB_PASSWORD=hunter2\n', '.gitignore': '.env\n' },
    at: { severity: 'high', file: '.env', key: '' }
  }
}

function folderOf (test: Test, files: Files): string {
  const root = test.testdir({})
  // A repository, as far as git looks: not ignored by whatever repository the tests run in.
  for (const folder of ['objects', 'refs']) mkdirSync(path.join(root, '.git', folder), { recursive: true })
  writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
  for (const [name, content] of Object.entries({ ...base, ...files })) {
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  return root
}

t.test('every rule finds what it is for, and nothing else', async t => {
  t.strictSame(Object.keys(cases).sort(), auditRules.map(({ code }) => code).sort(), 'there is a case for each')
  for (const { code, severity } of auditRules) {
    const { open, closed, at, env } = cases[code] as Case
    const runsTypeScript = Boolean((process.features as { typescript?: unknown }).typescript)
    const skip = code === 'FBK_AUDIT_TYPESCRIPT_NOT_LOADED' && runsTypeScript && 'this Node runs TypeScript'
    await t.test(code, { skip }, async t => {
      const { findings } = await audit(folderOf(t, open), { env })
      const found = findings.find(each => each.code === code)
      t.match(
        found,
        { severity, ...at },
        JSON.stringify(findings.map(({ code, file, key, line }) => `${code} ${file}:${line} ${key}`))
      )
      t.ok(found !== undefined && found.what.endsWith('.') && found.why.endsWith('.') && found.fix !== '')
    })
    await t.test(`${code}, closed`, async t => {
      const { findings } = await audit(folderOf(t, closed), { env })
      t.strictSame(findings.filter(each => each.code === code), [])
    })
  }
})

t.test('the folder that all cases start from is clean', async t => {
  t.strictSame((await audit(folderOf(t, closed))).findings, [])
})

t.test('secrets are found by name, by address and by place, and never shown', async t => {
  const dir = folderOf(t, {
    ...closed,
    'server/datasources.json': {
      db: {
        connector: 'memory',
        password: 'hunter2',
        host: 'db.example',
        user: 'shop',
        passwordField: 'x',
        ssl: { privateKey: './key.pem' }
      },
      other: { connector: 'memory', password: variable('DB_PASSWORD'), token: 'x' },
      empty: { connector: 'memory', password: '' }
    },
    'server/config.json': {
      host: '127.0.0.1',
      port: 0,
      tokens: { jwtSecret: 'hunter2', list: [{ apiKey: 'hunter2' }] },
      resetPasswordTokenTTL: 900,
      loginPath: '/login'
    },
    'server/middleware.json': {
      session: { 'cookie-parser': { params: ['hunter2'] } },
      routes: { 'loopback#rest': { paths: ['/api'] } }
    },
    'keys/server.pem': '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n',
    'keys/public.pem': '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n',
    '.env.example': 'DB_PASSWORD=…\n'
  })
  const report = await audit(dir)
  t.strictSame(report.findings.map(({ file, key }) => `${file} ${key}`.trim()).sort(), [
    'keys/server.pem',
    'server/config.json tokens.jwtSecret',
    'server/config.json tokens.list[0].apiKey',
    'server/datasources.json db.password',
    'server/middleware.json session.cookie-parser.params[0]'
  ])
  t.match(report.findings.find(({ key }) => key === 'db.password')?.fix, `"password": "${variable('PASSWORD')}"`)
  t.notMatch(JSON.stringify(report), 'hunter2')
})

t.test('LG-36: secrets of login providers, in the files that version control has', async t => {
  const providers = {
    google: { module: 'passport-google-oauth20', clientID: 'x', clientSecret: 'hunter2', session: true },
    other: { module: 'passport-google-oauth20', provider: 'google', authPath: '/a', callbackPath: '/b', clientID: 'x', clientSecret: { env: 'PATH' }, session: true },
    staff: {
      module: 'passport-ldapauth', session: true,
      server: { url: 'ldaps://ldap.example', bindDN: 'cn=x', bindCredentials: 'hunter2', searchBase: 'o=x', searchFilter: '(uid={{username}})' }
    }
  }
  const component = { '@fastback/login': { providers: './providers.json', secret: variable('LOGIN_SECRET'), origin: 'https://shop.example' } }
  process.env.LOGIN_SECRET = 'sixteen letters or more'
  t.teardown(() => { delete process.env.LOGIN_SECRET })
  const files = { ...closed, 'server/component-config.json': component, 'server/providers.json': providers }
  const found = async (more: Files): Promise<string[]> =>
    (await audit(folderOf(t, { ...files, ...more }))).findings.map(({ code, file, key }) => `${code} ${file} ${key}`).sort()
  t.strictSame(await found({}), [
    'FBK_AUDIT_SECRET_IN_CONFIG server/providers.json google.clientSecret',
    'FBK_AUDIT_SECRET_IN_CONFIG server/providers.json staff.server.bindCredentials'
  ])
  t.strictSame(await found({ '.gitignore': 'providers.json\n' }), [], 'a file that git leaves out is nobody else\'s')
})

t.test('rows: what is inherited counts where it is written, and what is accepted is no finding', async t => {
  const dir = folderOf(t, {
    ...note([
      shut,
      row('ALLOW', '$owner', { property: 'find' }),
      row('ALOW', '$everyone'),
      row('ALLOW', 'x', { principalType: 'GROUP' }),
      row('ALLOW', '$everyone', { accessType: 'REED' })
    ]),
    'common/models/memo.json': { name: 'Memo', base: 'Note', acls: [row('ALLOW', '$everyone')] },
    'server/model-config.json': { ...models, Memo: { dataSource: 'db' } },
    'server/config.json': {
      host: '127.0.0.1',
      port: 0,
      audit: {
        accepted: [{ code: 'FBK_AUDIT_ROW_SHADOWED', key: 'acls[0]', reason: 'it is removed with the next release' }]
      }
    }
  })
  const { findings, accepted } = await audit(dir)
  t.strictSame(findings.map(({ code, file, key }) => `${code} ${file} ${key}`), [
    'FBK_AUDIT_ROW_NEVER_MATCHES common/models/note.json acls[2].permission',
    'FBK_AUDIT_ROW_NEVER_MATCHES common/models/note.json acls[3].principalType',
    'FBK_AUDIT_ROW_NEVER_MATCHES common/models/note.json acls[4].accessType'
  ])
  t.match(accepted, [
    { code: 'FBK_AUDIT_ROW_SHADOWED', file: 'common/models/memo.json', reason: 'it is removed with the next release' }
  ])
  t.strictSame((await audit(dir, { severity: 'high' })).findings, [])

  for (const [accepted, message] of [
    [[{ code: 'FBK_AUDIT_NO_SUCH', reason: 'x' }], 'code'],
    [[{ code: 'FBK_AUDIT_OPEN_MODEL' }], 'reason'],
    [{}, 'list']
  ] as const) {
    await t.rejects(audit(folderOf(t, config({ audit: { accepted } }))), {
      code: 'FBK_BOOT_INVALID_CONFIG',
      message: new RegExp(`server/config.json.*${message}`)
    })
  }
})

t.test('an access hook that narrows by the token is shown with the rule that would replace it', async t => {
  const hook = (body: string): Files => ({
    ...closed, 'common/models/note.js': `export default Note => { Note.observe('access', async ctx => { ${body} }) }`
  })
  const narrowing = folderOf(t, hook('ctx.query.where = { ownerId: ctx.options.accessToken.userId }'))
  const { findings, suggestions } = await audit(narrowing)
  t.strictSame(findings, [], 'it is no finding')
  t.match(suggestions, [
    { code: 'FBK_AUDIT_HOOK_FOR_ROWS', file: 'common/models/note.json', key: 'acls', instead: '"rows": { "ownerId": "$user.id" }' }
  ])
  await t.test('one that cannot be read', async t => {
    const { suggestions: [unread] } = await audit(folderOf(t, hook('narrow(ctx.options.accessToken)')))
    t.match(unread?.what, 'cannot be read')
    t.equal(unread?.instead, undefined)
  })
  t.strictSame((await audit(folderOf(t, closed))).suggestions, [])
})

t.test('guards that boot scripts put on paths are found, too', async t => {
  const dir = folderOf(t, {
    ...note([]),
    'server/boot/guard.js': "export default app => { app.use('/api/notes', (req, res, next) => { next() }) }"
  })
  t.match(
    (await audit(dir)).findings.find(({ code }) => code === 'FBK_AUDIT_GUARD_BY_PATH'),
    { file: 'server/boot', what: /"app.use" on \/api\/notes/ }
  )
})

t.test('overlays of the environment count; nothing is written, nothing listens', async t => {
  const dir = folderOf(t, {
    ...middleware({ 'final:after': { 'strong-error-handler': { params: { debug: false } } } }),
    'server/middleware.production.json': { 'final:after': { 'strong-error-handler': { params: { debug: true } } } },
    'server/datasources.json': { db: { connector: 'sql', url: 'sqlite:../data/app.db' } },
    'server/boot/rows.js':
      "export default async app => { await app.models.Note.create({ title: 'x' }); app.on('started', () => { throw new Error('it listens') }) }"
  })
  t.match((await audit(dir)).findings, [{ code: 'FBK_AUDIT_DEBUG_ERRORS', file: 'server/middleware.production.json' }])
  t.strictSame((await audit(dir, { env: 'development' })).findings, [])
  t.throws(() => readFileSync(path.join(dir, 'data/app.db')), { code: 'ENOENT' })
})

t.test('the table in the README is that of the rules', async t => {
  const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8')
  const table = readme.split('\n').filter(line => line.startsWith('| `FBK_AUDIT_'))
  t.strictSame(table, auditRules.map(({ code, severity, title }) => `| \`${code}\` | ${severity} | ${title} |`))
})
