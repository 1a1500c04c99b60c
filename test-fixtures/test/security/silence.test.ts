// FASTBACK_TEST_FULL: folders that are started and stop.
/** What a folder or a definition says about access takes effect, or stops the start: S-84. */
import { spawnSync } from 'node:child_process'
import Fastify from 'fastify'
import tap, { type Test } from 'tap'
import { acl } from '@fastback/acl'
import { auth } from '@fastback/auth'
import { createServer } from '@fastback/boot'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import rest from '@fastback/rest'
import { temporaryApp } from './folders.js'
import { attack, type Model } from './harness.js'

const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const properties = { title: 'string', secret: 'string', inner: 'string' }
/**
 * Everything at once: reading is allowed, all else is not; one property is hidden, one protected; a relation, a scope,
 * a method.
 */
const settings = {
  acls: [deny, { ...deny, permission: 'ALLOW', accessType: 'READ' }],
  hidden: ['secret'],
  protected: ['inner'],
  relations: {
    parent: { type: 'belongsTo', model: 'Thing', foreignKey: 'parentId' },
    parts: { type: 'hasMany', model: 'Thing', foreignKey: 'parentId', acls: [deny] }
  },
  scopes: { named: { where: { title: 'shown' } } },
  methods: { greet: { http: { verb: 'get' }, returns: { arg: 'text', type: 'string', root: true } } },
  mixins: { Stamp: { value: 'stamped' } },
  plural: 'Objects',
  indexes: { byTitle: { keys: { title: 1 } } },
  strict: true
}
const authBoot = 'export default app => { app.enableAuth({ dataSource: "db" }) }'
const stamp =
  'export default (Model, { value }) => { Model.greet = async () => value; Model.observe("before save", async ctx => { (ctx.instance ?? ctx.data).title ??= value }) }'
const code = (value: unknown): string => JSON.stringify(value)

/** A folder whose model `Thing` is written in some way: by files, or in a boot script. */
function thing (t: Test, files: Record<string, unknown>, bootScript?: string): string {
  return temporaryApp(t, {
    'server/model-config.json': {
      _meta: { sources: ['./models'], mixins: ['./mixins'] },
      Note: { dataSource: 'db' },
      ...(bootScript === undefined ? { Thing: { dataSource: 'db' } } : {})
    },
    'server/mixins/stamp.js': stamp,
    'server/boot/a-auth.js': authBoot,
    ...(bootScript === undefined
      ? {}
      : {
          'server/boot/b-thing.js': `import stamp from '../mixins/stamp.js'\nexport default app => { app.registry.modelBuilder.mixins.define('Stamp', stamp)\n${bootScript}\napp.model(Thing, { dataSource: 'db', public: true }) }`
        }),
    ...files
  })
}

/** Node options without which newer ones run TypeScript. */
const typescriptOff = process.allowedNodeEnvironmentFlags.has('--no-experimental-strip-types')
  ? ['--no-experimental-strip-types']
  : []

const forms: Readonly<Record<string, (t: Test) => string>> = {
  'JSON, top level': t =>
    thing(t, { 'server/models/thing.json': { name: 'Thing', base: 'PersistedModel', properties, ...settings } }),
  'JSON, options': t =>
    thing(t, { 'server/models/thing.json': { name: 'Thing', base: 'PersistedModel', properties, options: settings } }),
  'JSON, settings': t =>
    thing(t, {
      'server/models/thing.json': { name: 'Thing', properties, settings: { ...settings, base: 'PersistedModel' } }
    }),
  'JSON, some here and some there': t =>
    thing(t, {
      'server/models/thing.json': {
        name: 'Thing',
        properties,
        plural: settings.plural,
        acls: settings.acls,
        hidden: ['secret'],
        strict: false,
        options: { ...settings, hidden: undefined },
        settings: { hidden: ['secret'], scopes: {} }
      }
    }),
  'JSON, hiddenProperties': t =>
    thing(t, {
      'server/models/thing.json': {
        name: 'Thing',
        properties,
        ...settings,
        hidden: undefined,
        hiddenProperties: { secret: true },
        protected: [],
        protectedProperties: ['inner']
      }
    }),
  'JSON, hidden by model-config.json': t =>
    thing(t, {
      'server/models/thing.json': { name: 'Thing', properties, ...settings, hidden: [], scopes: {}, acls: [] },
      'server/model-config.json': {
        _meta: { sources: ['./models'], mixins: ['./mixins'] },
        Note: { dataSource: 'db' },
        Thing: { dataSource: 'db', acls: settings.acls, options: { hidden: { secret: true }, scopes: settings.scopes } }
      }
    }),
  'createModel(name, properties, options)': t =>
    thing(t, {}, `const Thing = app.registry.createModel('Thing', ${code(properties)}, ${code(settings)})`),
  'createModel({ name, properties, options })': t =>
    thing(
      t,
      {},
      `const Thing = app.loopback.createModel({ name: 'Thing', properties: ${code(properties)}, options: ${code(settings)} })`
    ),
  'createModel({ name, ...settings })': t =>
    thing(t, {}, `const Thing = app.registry.createModel(${code({ name: 'Thing', properties, ...settings })})`),
  'Model.extend(name, properties, settings)': t =>
    thing(t, {}, `const Thing = app.loopback.PersistedModel.extend('Thing', ${code(properties)}, ${code(settings)})`),
  'dataSource.createModel(name, properties, settings)': t =>
    thing(t, {}, `const Thing = app.dataSources.db.createModel('Thing', ${code(properties)}, ${code(settings)})`)
}

await tap.test('S-84 a definition takes effect in every form in which LoopBack reads it', async t => {
  // Seen to fail: before this change, for `options`, `settings`, `extend`, `createModel`, `hiddenProperties` and the
  // rules of the relation
  for (const [form, folder] of Object.entries(forms)) {
    const { send, models } = await attack(t, folder(t), 'memory')
    const { Thing } = models as { Thing: Model }
    await Thing.create({ title: 'shown', secret: 'hush', inner: 'within' })
    await Thing.create({ secret: 'hush', inner: 'within', parentId: 1 })
    const list = await send('GET', '/Objects')
    t.match(
      list,
      { status: 200, body: [{ title: 'shown', inner: 'within' }, { title: 'stamped' }] },
      `${form}: the plural, the mixin`
    )
    t.notMatch(list.text, 'hush', `${form}: hidden`)
    t.equal(
      (await send('GET', `/Objects?filter=${encodeURIComponent('{"where":{"secret":"hush"}}')}`)).code,
      'HIDDEN_PROPERTY_IN_QUERY',
      form
    )
    const included = await send('GET', `/Objects?filter=${encodeURIComponent('{"include":"parent"}')}`)
    t.match(included.body, [{}, { parent: { title: 'shown' } }], `${form}: the relation`)
    t.equal(
      (included.body as Array<{ parent?: object }>)[1]?.parent !== undefined &&
        'inner' in ((included.body as Array<{ parent: object }>)[1] as { parent: object }).parent,
      false,
      `${form}: protected`
    )
    t.same(
      [
        (await send('POST', '/Objects', { json: { title: 'x' } })).status,
        (await send('DELETE', '/Objects/1')).status,
        (await send('PATCH', '/Objects/1', { json: {} })).status
      ],
      [401, 401, 401],
      `${form}: rules`
    )
    t.same(
      [
        (await send('GET', '/Objects/1/parent')).status,
        (await send('GET', '/Objects/1/parts')).status,
        (await send('GET', '/Objects/1/parts/count')).status,
        (await send('GET', '/Objects/1/parts/2')).status
      ],
      [200, 401, 401, 401],
      `${form}: rules of the relation`
    )
    t.equal(
      (await send('GET', `/Objects?filter=${encodeURIComponent('{"include":"parts"}')}`)).status,
      401,
      `${form}: and of include`
    )
    t.match((await send('GET', '/Objects/named')).body, [{ title: 'shown' }], `${form}: the scope`)
    t.equal(((await send('GET', '/Objects/named')).body as unknown[]).length, 1)
    t.match(await send('GET', '/Objects/greet'), { status: 200, body: 'stamped' }, `${form}: the method`)
    await t.rejects(Thing.create({ title: 'x', unknown: 1 }), /unknown/, `${form}: strict, where options win`)
    t.ok(
      (Thing as unknown as { compiled: { indexes: Array<{ name: string }> } }).compiled.indexes.some(({ name }) =>
        /byTitle/.test(name)
      ),
      `${form}: the index`
    )
  }
})

await tap.test('S-84 what cannot take effect stops the start, by name', async t => {
  // Seen to fail: before this change, all of them
  const starts = async (files: Record<string, unknown>): Promise<unknown> =>
    await createServer(temporaryApp(t, files), { env: 'test', log: false }).then(async server => {
      await server.stop()
    })
  const note = (more: object): Record<string, unknown> => ({
    'server/models/note.json': { name: 'Note', properties: { text: 'string' }, ...more }
  })
  const entry = (more: object): Record<string, unknown> => ({
    'server/model-config.json': { _meta: { sources: ['./models'] }, Note: { dataSource: 'db', ...more } }
  })
  const refused: ReadonlyArray<readonly [files: Record<string, unknown>, code: string, names: RegExp]> = [
    [
      note({ acls: [deny], options: { acls: [{ ...deny, permission: 'ALLOW' }] } }),
      'FBK_CORE_INVALID_DEFINITION',
      /note\.json.*"Note", options\.acls/
    ],
    [
      note({ hidden: ['text'], settings: { hidden: ['other'] } }),
      'FBK_CORE_INVALID_DEFINITION',
      /note\.json.*settings\.hidden/
    ],
    [
      note({ settings: { mixins: { A: true } }, options: { mixins: { B: true } } }),
      'FBK_CORE_INVALID_DEFINITION',
      /options\.mixins/
    ],
    [note({ options: [] }), 'FBK_CORE_INVALID_DEFINITION', /note\.json.*options/],
    [note({ acls: { 0: deny } }), 'FBK_CORE_INVALID_DEFINITION', /acls/],
    [note({ acls: ['DENY'] }), 'FBK_CORE_INVALID_DEFINITION', /acls/],
    [
      note({ properties: { text: { type: 'string', acls: 'deny' } } }),
      'FBK_CORE_INVALID_DEFINITION',
      /property "text", acls/
    ],
    [
      note({ relations: { self: { type: 'belongsTo', model: 'Note', acls: deny } } }),
      'FBK_CORE_INVALID_DEFINITION',
      /relation "self", acls/
    ],
    [note({ plural: 5 }), 'FBK_CORE_INVALID_DEFINITION', /plural/],
    [entry({ options: { acls: [deny] } }), 'FBK_BOOT_INVALID_CONFIG', /model-config\.json.*"Note".*options\.acls/],
    [entry({ options: { relations: {} } }), 'FBK_BOOT_INVALID_CONFIG', /options\.relations/],
    [entry({ options: { mixins: { A: true } } }), 'FBK_BOOT_MODEL_CONFIG', /options\.mixins/],
    [
      entry({ hidden: ['text'], options: { hidden: ['other'] } }),
      'FBK_BOOT_INVALID_CONFIG',
      /model-config\.json.*"hidden" says something else.*"options"/
    ],
    [entry({ defaultPermission: 'DENY', options: { defaultPermission: 'ALLOW' } }), 'FBK_BOOT_INVALID_CONFIG', /"defaultPermission"/],
    [entry({ acls: deny }), 'FBK_BOOT_INVALID_CONFIG', /"acls" must be a list/],
    [
      {
        'server/boot/entry.js':
          'export default app => { app.model(app.models.Note, { dataSource: "db", options: { acls: [] } }) }'
      },
      'FBK_BOOT_INVALID_CONFIG',
      /boot\/entry\.js.*options\.acls/
    ]
  ]
  for (const [files, code, names] of refused) await t.rejects(starts(files), { code, message: names }, String(names))
  await t.resolves(
    starts({
      ...note({ acls: [deny], options: { acls: [deny], hidden: [] }, settings: { acls: [] } }),
      ...entry({ public: false, acls: [deny], options: { hidden: ['text'], strict: true } })
    }),
    'what says the same twice says it once'
  )
})

await tap.test('S-84 settings beside "dataSource" take effect', async t => {
  // Seen to fail: configureModel without settingsOf
  const server = await createServer(temporaryApp(t, {
    'server/model-config.json': {
      _meta: { sources: ['./models'] },
      Note: { dataSource: 'db', public: true, hidden: ['text'], defaultPermission: 'DENY', options: { hidden: ['text'] } }
    },
    'server/boot/authentication.js': 'export default app => { app.enableAuth() }'
  }), { env: 'test', log: false })
  t.teardown(() => server.stop())
  const { Note } = server.app.models as Record<string, any>
  t.same((await Note.create({ text: 'secret' })).toJSON(), { id: 1 })
  t.equal((await server.fastify.inject('/api/Notes')).statusCode, 401)
})

await tap.test('S-84 TypeScript that this Node does not run stops the start', async t => {
  // Seen to fail: firstFile of boot/load/module.ts without its exception
  const boot = import.meta.resolve('@fastback/boot')
  /** The results of folders, in a process without a TypeScript loader. */
  const start = (folders: ReadonlyArray<Record<string, unknown>>): string[] => {
    const program = `import { createServer } from ${code(boot)}
      for (const folder of ${code(folders.map(files => temporaryApp(t, files)))}) {
        try { const server = await createServer(folder, { env: 'test', log: false }); console.log('started', server.app.isAuthEnabled); await server.stop() } catch (error) { console.log(error.code, error.message) }
      }`
    return spawnSync(process.execPath, [...typescriptOff, '--input-type=module', '--eval', program], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' }
    })
      .stdout.trim()
      .split('\n')
  }
  const ts = 'export default function (app: unknown): void {}'
  const lost: ReadonlyArray<readonly [files: Record<string, unknown>, name: string]> = [
    [{ 'server/boot/authentication.ts': ts }, 'server/boot/authentication.ts'],
    [{ 'server/boot/test/authentication.mts': ts }, 'server/boot/test/authentication.mts'],
    [{ 'server/models/note.ts': ts }, 'server/models/note.ts'],
    [{ 'server/middleware.ts': 'export default {}' }, 'server/middleware.ts'],
    [{ 'server/config.local.ts': 'export default {}' }, 'server/config.local.ts'],
    [{ 'server/guard.cts': ts, 'server/middleware.json': { auth: { './guard': {} } } }, 'server/guard.cts'],
    [{ 'server/guard.ts': ts, 'server/component-config.json': { './guard.ts': true } }, 'server/guard.ts'],
    [
      { 'server/mixins/lock.ts': ts, 'server/models/note.json': { name: 'Note', mixins: { Lock: true } } },
      'server/mixins/lock.ts'
    ]
  ]
  const sound = {
    'server/boot/authentication.ts': ts,
    'server/boot/authentication.js': authBoot,
    'server/boot/types.d.ts': 'export {}',
    'server/boot/_old.ts': ts,
    'server/mixins/unused.ts': ts,
    'server/models/note.d.ts': 'export {}',
    'server/middleware.json': { routes: { 'loopback#rest': { paths: ['/api'] } } },
    'server/middleware.ts': ts
  }
  const answers = start([...lost.map(([files]) => files), sound])
  for (const [i, [, name]] of lost.entries()) {
    t.match(answers[i], new RegExp(`^FBK_BOOT_TYPESCRIPT .*${name.replaceAll('.', '\\.')}.*js`), name)
  }
  t.equal(answers.at(-1), 'started true', 'what has its JavaScript beside it, or is not wanted, stops nobody')
})

await tap.test('S-84 model files that take no part are named', async t => {
  // Seen to fail: defineModels of boot/models.ts without unreadModels
  const { logged } = await attack(
    t,
    temporaryApp(t, {
      'server/models/base.json': { name: 'Base' },
      'server/models/note.json': {
        name: 'Note',
        base: 'Base',
        relations: { other: { type: 'belongsTo', model: 'Other' } }
      },
      'server/models/other.json': { name: 'Other' },
      'server/models/vault.json': { name: 'Vault', acls: [deny] },
      'server/models/Safe.js': 'export default Model => {}'
    }),
    'memory'
  )
  t.match(logged(), /server\/models\/vault\.json: the model \\"Vault\\" is not loaded/)
  t.match(logged(), /server\/models\/Safe: this code is not loaded/)
  t.notMatch(logged(), /models\/(?:base|other|note)[.:]/)
})

await tap.test('S-84 rules that nobody enforces stop the start', async t => {
  // Seen to fail: rest/plugin.ts without mustEnforceRules
  const serve = async (
    definition: ModelDefinitionInput,
    { guarded = false, accessControl = undefined as boolean | undefined, isPublic = true, application = {} } = {}
  ): Promise<number> => {
    const app = Fastify()
    try {
      await app.register(core, {
        connectors: { memory: memoryConnector },
        dataSources: { db: { connector: 'memory' } },
        definitions: [definition],
        models: { [definition.name]: { dataSource: 'db', public: isPublic } },
        settings: application
      })
      if (guarded) {
        await app.register(auth)
        await app.register(acl)
      }
      await app.register(rest, { prefix: '/api', ...(accessControl === undefined ? {} : { accessControl }) })
      return (await app.inject('/api/Notes')).statusCode
    } finally {
      await app.close()
    }
  }
  const said: readonly ModelDefinitionInput[] = [
    { name: 'Note', acls: [deny] },
    { name: 'Note', options: { acls: [deny] } },
    { name: 'Note', defaultPermission: 'DENY' },
    { name: 'Note', ownerFromToken: true, properties: { userId: 'number' } },
    { name: 'Note', methods: { ask: { acls: [deny] } } },
    { name: 'Note', relations: { self: { type: 'belongsTo', model: 'Note', acls: [deny] } } }
  ]
  for (const definition of said) {
    await t.rejects(
      serve(definition),
      { code: 'FBK_REST_RULES_NOT_ENFORCED', message: /Note.*@fastback\/acl.*accessControl/ },
      JSON.stringify(definition)
    )
    t.equal(await serve(definition, { accessControl: false }), 200, 'unless the application says so')
    await t.resolves(serve(definition, { guarded: true }))
    t.equal(await serve(definition, { isPublic: false }), 404, 'or publishes nothing')
  }
  await t.rejects(serve({ name: 'Note' }, { application: { defaultPermission: 'DENY' } }), {
    code: 'FBK_REST_RULES_NOT_ENFORCED'
  })
  t.equal(await serve({ name: 'Note', acls: [deny] }, { guarded: true }), 401)
  t.equal(await serve({ name: 'Note' }), 200, 'a model without rules needs nobody')
  const folder = await attack(
    t,
    temporaryApp(t, { 'server/models/note.json': { name: 'Note', acls: [deny] } }),
    'memory'
  )
  t.equal((await folder.send('GET', '/Notes')).status, 200, 'a folder that does not call enableAuth is as in LoopBack')
  t.match(folder.logged(), /Access control is off.*Note/)
})

await tap.test('S-84 "trust proxy" has Express\' meaning, or stops the start', async t => {
  // Seen to fail: boot/server.ts handing the setting to Fastify as it is (numbers), and without the second trustProxy
  // (boot scripts)
  const address = async (config: object, script = ''): Promise<unknown> => {
    const server = await attack(
      t,
      temporaryApp(t, {
        'server/config.json': { host: '127.0.0.1', port: 0, ...config },
        'server/boot/ip.js': `export default app => { ${script}\napp.fastify.get('/ip', async request => ({ ip: request.ip })); app.get('/express-ip', (req, res) => { res.json({ ip: req.ip }) }) }`
      }),
      'memory'
    )
    const headers = { 'x-forwarded-for': '198.51.100.1, 10.1.2.3' }
    const [own, express] = await Promise.all(
      ['/ip', '/express-ip'].map(
        async path => (await server.send('GET', path, { prefix: '', headers })).body as { ip: string }
      )
    )
    t.equal(own?.ip, express?.ip.replace('::ffff:', ''), 'for Fastify as for Express')
    return own?.ip
  }
  const told: ReadonlyArray<readonly [value: unknown, ip: string]> = [
    [undefined, '127.0.0.1'],
    [false, '127.0.0.1'],
    [0, '127.0.0.1'],
    [1, '10.1.2.3'],
    [2, '198.51.100.1'],
    [9, '198.51.100.1'],
    [true, '198.51.100.1'],
    ['loopback', '10.1.2.3'],
    ['127.0.0.1', '10.1.2.3'],
    ['loopback, 10.0.0.0/8', '198.51.100.1'],
    [['loopback', 'uniquelocal'], '198.51.100.1'],
    ['192.0.2.1', '127.0.0.1']
  ]
  for (const [value, ip] of told) t.equal(await address({ 'trust proxy': value }), ip, JSON.stringify(value))
  t.equal(await address({}, 'app.set("trust proxy", 1)'), '10.1.2.3', 'a boot script')
  t.equal(await address({}, 'app.enable("trust proxy")'), '198.51.100.1')
  t.equal(await address({}, 'app.set("trust proxy", (ip, hop) => hop < 1)'), '10.1.2.3', 'a function')
  for (const wrong of ['1', 'true', 'nonsense', -1, 1.5, {}, ['loopback', 1], ['']]) {
    await t.rejects(
      createServer(temporaryApp(t, { 'server/config.json': { 'trust proxy': wrong } }), { env: 'test', log: false }),
      { code: 'FBK_BOOT_INVALID_CONFIG', message: /server\/config\.json.*trust proxy/ },
      JSON.stringify(wrong)
    )
  }
  await t.rejects(
    createServer(temporaryApp(t, { 'server/boot/ip.js': 'export default app => { app.set("trust proxy", "1") }' }), {
      env: 'test',
      log: false
    }),
    { code: 'FBK_BOOT_INVALID_CONFIG' }
  )
})

await tap.test('S-84 the same without Fastify', async t => {
  // Seen to fail: core/registry.ts without flattenDefinition
  const registry = new ModelRegistry()
  const [, Child] = registry.defineModels(
    [
      { input: { name: 'Child', options: { base: 'Parent', hidden: ['b'] } } },
      { input: { name: 'Parent', properties: { a: 'string', b: 'string' }, settings: { hidden: ['a'] } } }
    ].toReversed()
  )
  t.same(Child?.definition.hidden, ['a', 'b'])
  const Late = registry.defineModel({ name: 'Late' })
  ;(Late as unknown as { hasMany: (name: string, options: object) => void }).hasMany('parts', {
    model: 'Late',
    acls: [deny]
  })
  t.match(Late.settings.acls, [{ permission: 'DENY', property: /./ }])
  t.throws(
    () => registry.defineModel({ name: 'Both', acls: [deny], options: { acls: [{ ...deny, accessType: 'READ' }] } }),
    { code: 'FBK_CORE_INVALID_DEFINITION' }
  )
})
