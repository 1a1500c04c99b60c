/* eslint no-template-curly-in-string: off */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { loadAppConfig } from './app-config.js'
import { readConfig, readJson } from './config-file.js'
import { loadComponentConfig } from './component-config.js'
import { keyCheck } from './check-keys.js'
import { loadDataSources } from './data-sources.js'
import { Folder } from './folder.js'
import { loadMiddlewareConfig } from './middleware-config.js'
import { findMixins, loadMixins } from './mixins.js'
import { loadModelConfig } from './model-config.js'
import { baseOf, neededModels, readModels, unreadModels } from './models.js'
import { loadFile, loadModule } from './module.js'
import { camelize, classify } from './names.js'
import { runBootScripts } from './boot-scripts.js'
import { scriptsIn } from './scripts.js'
import { substitute, type Substitution } from './substitute.js'
import {
  DataSourceVocabulary, MetaVocabulary, MiddlewareEntryVocabulary, ModelEntryVocabulary
} from './vocabulary.js'
import { perform } from '../steps.js'

type Files = Record<string, unknown>

/** Writes files (objects as JSON) and locates the folder. */
function folderOf (test: Test, files: Files): Folder {
  const root = test.testdir({})
  for (const [name, content] of Object.entries({
    'package.json': { type: 'commonjs' },
    'server/config.json': {},
    ...files
  })) {
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  return Folder.locate(root)
}

const nothing: Substitution = { setting: () => undefined, variable: () => undefined, unresolved: () => {} }
const unchecked = (): void => {}
const merged = async (test: Test, files: Files, env = 'production'): Promise<unknown> =>
  (await perform(readConfig(folderOf(test, files), 'config', env))).value
const rejects = async (test: Test, work: () => Promise<unknown>, code: string, ...parts: string[]): Promise<void> => {
  try {
    await work()
  } catch (error) {
    test.equal((error as { code?: string }).code, code)
    for (const part of parts) test.match((error as Error).message, part)
    return
  }
  test.fail('nothing was refused')
}

t.test('a folder is found in either layout, or refused', async t => {
  const folder = folderOf(t, { 'server/boot/a.js': '' })
  t.equal(path.basename(folder.server), 'server')
  t.equal(folder.name(folder.path('../common/models/note.json')), 'common/models/note.json')
  t.equal(Folder.locate(folder.server).server, folder.server)
  t.equal(folder.find('./boot'), folder.path('boot'))
  t.equal(folder.find('boot'), folder.path('boot'))
  t.equal(folder.find('./none'), undefined)
  t.equal(folder.find('no-such-package/models'), undefined)
  const flat = t.testdir({ 'datasources.json': '{}' })
  t.equal(Folder.locate(flat).server, flat)
  t.throws(() => Folder.locate(path.join(flat, 'gone')), { code: 'FBK_BOOT_FOLDER' })
  t.throws(() => Folder.locate(t.testdir({ server: {} })), { code: 'FBK_BOOT_FOLDER', message: /model-config\.json/ })
})

t.test('files are merged: main, local, environment', async t => {
  t.strictSame(
    await merged(t, {
      'server/config.json': { a: 1, deep: { x: 1, y: 2 }, list: [1, { k: 1 }], nothing: null, gone: { k: 1 } },
      'server/config.local.json': { a: 2, deep: { y: 3 } },
      'server/config.production.json': {
        a: 3,
        deep: { z: 4 },
        list: [9, { l: 2 }],
        nothing: { now: 'something' },
        gone: null,
        added: true
      }
    }),
    {
      a: 3,
      deep: { x: 1, y: 3, z: 4 },
      list: [9, { k: 1, l: 2 }],
      nothing: { now: 'something' },
      gone: null,
      added: true
    }
  )
  t.strictSame(
    await merged(t, {
      'server/config.json': { a: 1 },
      'server/config.production.js': 'module.exports = { a: 2 }',
      'server/config.production.json': { a: 3 }
    }),
    { a: 2 },
    'a .js file comes before a .json file'
  )
  t.strictSame(await merged(t, { 'server/config.json': { a: 1 }, 'server/config.staging.json': { a: 2 } }), { a: 1 })
  t.strictSame(await merged(t, { 'server/config.json': '\uFEFF{"a": 1}' }), { a: 1 }, 'a byte order mark is no error')
  const own = { 'server/model-config.json': {}, 'server/middleware.local.json': {} }
  await rejects(
    t,
    async () => await perform(readConfig(folderOf(t, own), 'middleware', 'test')),
    'FBK_BOOT_INVALID_CONFIG',
    'server/middleware.local.json',
    'middleware.json'
  )
})

t.test('what cannot be merged is refused, with its key', async t => {
  const cases: Array<[unknown, unknown, string]> = [
    [{ a: { b: [1, 2] } }, { a: { b: [1] } }, '"a.b"'],
    [{ a: [1] }, { a: { 0: 1 } }, '"a"'],
    [{ a: { b: 1 } }, { a: 5 }, '"a"'],
    [{ a: 5 }, { a: { b: 1 } }, '"a"'],
    [{ a: [{ b: 1 }] }, { a: [{ b: [] }] }, '"a[0].b"']
  ]
  for (const [main, over, key] of cases) {
    await rejects(
      t,
      async () => await merged(t, { 'server/config.json': main, 'server/config.production.json': over }),
      'FBK_BOOT_MERGE',
      'server/config.production.json',
      key
    )
  }
  const pollution = await merged(t, {
    'server/config.json': { a: 1 },
    'server/config.production.json': '{"__proto__": {"polluted": true}}'
  })
  t.notOk('polluted' in {})
  t.equal((pollution as { a: number }).a, 1)
})

t.test('broken JSON is refused with file and line', async t => {
  const texts: Array<[string, number]> = [
    ['{\n  "a": 1,\n  "b": 2,\n}', 4],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a": tru\n}', 2],
    ['{"a":\n\n1', 3],
    ['', 1],
    ['{\n"a": "x\n"}', 2],
    ['\n\n\n  ?', 4]
  ]
  const hints: Array<[text: string, hint: RegExp]> = [
    ['{ "a": 1, }', /\. A comma stands before a closing bracket: take it away$/],
    ['{ "a": [1, 2,] }', /A comma stands/],
    ['{ "a": ",}" "b": 1 }', /^(?!.*A comma)/],
    ['', /\. The file is empty$/],
    ['{ "a": 1 // so\n}', /\. JSON has no comments$/],
    ['{ "a": "http://x" "b" }', /^(?!.*comments)/],
    ["{ 'a': 1 }", /\. Names and texts stand in double quotes$/],
    ['{ a: 1 }', /double quotes$/]
  ]
  for (const [text, hint] of hints) {
    const folder = folderOf(t, { 'common/models/x.json': text })
    t.throws(() => readJson(folder, path.join(folder.root, 'common/models/x.json')), { message: hint }, text)
  }
  for (const [text, line] of texts) {
    const folder = folderOf(t, { 'common/models/x.json': text })
    await rejects(
      t,
      async () => readJson(folder, path.join(folder.root, 'common/models/x.json')),
      'FBK_BOOT_INVALID_JSON',
      `common/models/x.json, line ${line}:`
    )
  }
  await rejects(
    t,
    async () => await merged(t, { 'server/config.json': '[1]' }),
    'FBK_BOOT_INVALID_CONFIG',
    'server/config.json'
  )
})

t.test('${NAME} stands for a variable or a setting', async t => {
  const missing: string[] = []
  const by: Substitution = {
    variable: name => ({ HOST_NAME: 'db.example', BOTH: 'variable' } as Record<string, string>)[name],
    setting: name => ({ restApiRoot: '/api', number: 5, BOTH: 'setting' } as Record<string, unknown>)[name],
    unresolved: name => { missing.push(name) }
  }
  const pattern = /x/
  t.strictSame(
    substitute(
      {
        a: '${HOST_NAME}',
        b: ['${number}', { c: '${restApiRoot}' }],
        d: 'http://${HOST_NAME}:${number}/',
        e: '${BOTH}',
        f: null,
        g: pattern,
        h: 'plain'
      },
      by
    ),
    {
      a: 'db.example',
      b: [5, { c: '/api' }],
      d: 'http://db.example:5/',
      e: 'variable',
      f: null,
      g: pattern,
      h: 'plain'
    }
  )
  t.strictSame(substitute({ url: '${NONE}', text: 'a ${NONE} b' }, by), { url: undefined, text: 'a ${NONE} b' })
  t.strictSame(missing, ['NONE', 'NONE'])
})

t.test('host, port and API root come from where LoopBack looks', async t => {
  const load = async (
    config: unknown,
    variables: NodeJS.ProcessEnv = {},
    given = {}
  ): Promise<Record<string, unknown>> =>
    await perform(loadAppConfig(folderOf(t, { 'server/config.json': config }), { env: 'test', variables, ...given }))
  t.match(await load({}), { env: 'test', port: 3000, restApiRoot: '/api', host: undefined })
  t.match(await load({ host: 'a', port: 1, restApiRoot: '/v1' }), { host: 'a', port: 1, restApiRoot: '/v1' })
  t.match(await load({ host: 'a', port: 1 }, { HOST: 'b', PORT: '2' }), { host: 'b', port: 2 })
  t.match(
    await load(
      { host: 'a', port: 1 },
      { HOST: 'b', PORT: '2', npm_config_host: 'c', npm_config_port: '3', VCAP_APP_PORT: '9' }
    ),
    { host: 'c', port: 3 }
  )
  t.match(await load({ host: 'a', port: 1 }, { PORT: '2' }, { host: 'd', port: 0 }), { host: 'd', port: 0 })
  t.match(await load({}, { npm_package_config_port: '7', npm_package_config_host: 'e' }), { port: 7, host: 'e' })
  t.match(await load({ port: '/run/app.sock' }), { port: '/run/app.sock' })
  await rejects(t, async () => await load({ restApiRoot: 'api' }), 'FBK_BOOT_INVALID_CONFIG', 'restApiRoot')
  t.match(await load({ port: '\\\\.\\pipe\\app' }), { port: '\\\\.\\pipe\\app' })
  await rejects(t, async () => await load({ port: 'three' }), 'FBK_BOOT_INVALID_CONFIG', 'the path of a socket, not "three"')
  await rejects(t, async () => await load({ port: 70000 }), 'FBK_BOOT_INVALID_CONFIG', 'port')
  await rejects(t, async () => await load({ port: true }), 'FBK_BOOT_INVALID_CONFIG', 'port')
  await rejects(t, async () => await load({ host: 5 }), 'FBK_BOOT_INVALID_CONFIG', 'host')
  await rejects(
    t,
    async () => await load({ remoting: { context: { enableHttpContext: true } } }),
    'FBK_BOOT_REMOTING_CONTEXT',
    'server/config.json',
    '3.0'
  )
  await rejects(
    t,
    async () => await load({ remoting: { cors: { origin: true } } }),
    'FBK_BOOT_REMOTING_CORS',
    'middleware.json'
  )
  t.match(await load({ remoting: { context: false, cors: false } }), { remoting: { cors: false } })
})

t.test('data sources come from the file, from options and from the environment', async t => {
  const folder = folderOf(t, {
    'server/datasources.json': { db: { connector: 'memory', file: '${STORE}' }, mail: { connector: 'mail' } }
  })
  const by = (variables: Record<string, string>): Substitution => ({ ...nothing, variable: name => variables[name] })
  t.strictSame((await perform(loadDataSources(folder, 'test', by({ STORE: 'rows.json' }), unchecked))).map(({ settings }) => settings), [
    { connector: 'memory', file: 'rows.json', name: 'db' }, { connector: 'mail', name: 'mail' }
  ])
  const variable = {
    FASTBACK_DATASOURCES: '{"db": {"url": "sqlite::memory:", "migrate": "reset"}, "extra": {"connector": "memory"}}'
  }
  t.strictSame(
    (await perform(loadDataSources(folder, 'test', by(variable), unchecked, { mail: { connector: 'memory' } }))).map(
      ({ settings, source }) => [settings, source]
    ),
    [
      [{ url: 'sqlite::memory:', migrate: 'reset', name: 'db', connector: 'sql' }, 'FASTBACK_DATASOURCES'],
      [{ connector: 'memory', name: 'mail' }, 'the option dataSources'],
      [{ connector: 'memory', name: 'extra' }, 'FASTBACK_DATASOURCES']
    ],
    'what comes from outside replaces the settings as a whole'
  )
  t.strictSame(
    (await perform(loadDataSources(folder, 'test', by(variable), unchecked, { db: { connector: 'memory' } }))).find(
      ({ name }) => name === 'db'
    ),
    { name: 'db', source: 'the option dataSources', unset: [], settings: { connector: 'memory', name: 'db' } },
    'options have the last word'
  )
  for (const text of ['{', '[]', '5', '{"db": "memory"}']) {
    await rejects(
      t,
      async () => await perform(loadDataSources(folder, 'test', by({ FASTBACK_DATASOURCES: text }), unchecked)),
      'FBK_BOOT_INVALID_CONFIG',
      'FASTBACK_DATASOURCES'
    )
  }
  await rejects(
    t,
    async () =>
      await perform(loadDataSources(folderOf(t, { 'server/datasources.json': { db: { host: 'x' } } }), 'test', nothing, unchecked)),
    'FBK_BOOT_INVALID_CONFIG',
    'server/datasources.json',
    '"db"',
    'connector'
  )
})

t.test('model-config.json', async t => {
  const load = async (config: unknown) =>
    await perform(loadModelConfig(folderOf(t, { 'server/model-config.json': config }), 'test', unchecked))
  const { models, sources, mixins } = await load({
    _meta: { sources: ['./models'] },
    Note: { dataSource: 'db', public: false },
    Tool: { dataSource: null }
  })
  t.strictSame([...models.keys()], ['Note', 'Tool'])
  t.strictSame(sources, ['./models'])
  t.strictSame(mixins, ['../common/mixins', './mixins'])
  for (const key of ['properties', 'base', 'plural', 'http']) {
    await rejects(
      t,
      async () => await load({ Note: { [key]: {} } }),
      'FBK_BOOT_MODEL_CONFIG',
      'server/model-config.json',
      'Note',
      `"${key}"`
    )
  }
  await rejects(
    t,
    async () => await load({ Note: { options: { base: 'User' } } }),
    'FBK_BOOT_MODEL_CONFIG',
    'options.base'
  )
  await rejects(t, async () => await load({ Note: 'db' }), 'FBK_BOOT_INVALID_CONFIG', 'Note')
  await rejects(
    t,
    async () => await load({ _meta: { sources: './models' } }),
    'FBK_BOOT_INVALID_CONFIG',
    '_meta.sources'
  )
})

t.test('definitions are ordered by inheritance', async t => {
  const folder = folderOf(t, {
    'common/models/leaf-node.json': {
      base: 'Branch',
      relations: { peers: { type: 'hasMany', model: 'Peer', through: 'Link' } }
    },
    'common/models/leaf-node.js': '',
    'common/models/branch.json': { name: 'Branch', options: { base: 'Root' } },
    'common/models/root.json': { name: 'Root' },
    'common/models/peer.json': { name: 'Peer', relations: { leaves: { model: 'LeafNode' } } },
    'common/models/link.json': { name: 'Link' },
    'common/models/unused.json': { name: 'Unused' },
    'common/models/_draft.json': 'not read',
    'server/models/root.json': { name: 'Root', plural: 'roots' }
  })
  const found = await perform(readModels(folder, ['loopback/common/models', '../common/models', './models', './gone']))
  t.strictSame([...found.keys()].sort(), ['Branch', 'LeafNode', 'Link', 'Peer', 'Root', 'Unused'])
  t.equal(found.get('Root')?.source, 'server/models/root.json', 'a later folder wins')
  t.equal(path.basename(found.get('LeafNode')?.base ?? ''), 'leaf-node')
  t.equal(baseOf(found.get('Branch')?.definition as never), 'Root')
  t.strictSame(
    neededModels(found, ['LeafNode', 'User']).map(({ name }) => name),
    ['Root', 'Branch', 'LeafNode', 'Peer', 'Link']
  )
  await rejects(
    t,
    async () => await perform(readModels(folderOf(t, { 'server/models/x.json': [] }), ['./models'])),
    'FBK_BOOT_INVALID_CONFIG',
    'server/models/x.json'
  )
  await rejects(
    t,
    async () => await perform(readModels(folderOf(t, { 'server/models/x.json': { name: 5 } }), ['./models'])),
    'FBK_BOOT_INVALID_CONFIG',
    '"name"'
  )
})

t.test('DW-2: definitions in modules stand beside those in JSON', async t => {
  const folder = folderOf(t, {
    'common/models/leaf.model.mjs': 'export const Leaf = { name: "Leaf", base: { name: "Branch" }, properties: {} }',
    'common/models/branch.model.mjs': 'export default { name: "Branch" }',
    'common/models/old.model.json': { name: 'Old' },
    'common/models/old.model.mjs': 'export default Old => {}',
    'common/models/other.model.js': 'throw new Error("CommonJS is a script, and this one belongs to nothing")',
    'common/models/root.json': { name: 'Root' },
    'common/models/leaf.js': 'module.exports = Leaf => {}'
  })
  const found = await perform(readModels(folder, ['../common/models']))
  t.strictSame([...found.keys()].sort(), ['Branch', 'Leaf', 'Old', 'Root'])
  t.match(found.get('Leaf'), { source: 'common/models/leaf.model.mjs', base: /common\/models\/leaf$/ })
  t.strictSame(neededModels(found, ['Leaf']).map(({ name }) => name), ['Branch', 'Leaf'])
  t.match(unreadModels(folder, { file: 'model-config.json', sources: ['../common/models'] }, found, [...found.values()]),
    [/other\.model: this code is not loaded/])
  // Modules are kept by their names.
  for (const [i, [text, ...parts]] of ([
    ['export const a = { name: "A" }, b = { name: "B" }', 'one definition'],
    ['export const name = "A"', 'one definition'],
    ['export default { name: "Root" }', 'another definition', 'root.json']
  ] as const).entries()) {
    const files = { [`common/models/x${i}.model.mjs`]: text, 'common/models/root.json': { name: 'Root' } }
    await rejects(t, async () => await perform(readModels(folderOf(t, files), ['../common/models'])), 'FBK_BOOT_INVALID_CONFIG', ...parts)
  }
})

t.test('mixins', async t => {
  const folder = folderOf(t, {
    'common/mixins/time-stamp.js': 'module.exports = function (Model, options) {}',
    'common/mixins/renamed.js': 'module.exports = function (Model, options) {}',
    'common/mixins/renamed.json': { name: 'Other' },
    'common/mixins/broken.js': 'throw new Error("not loaded unless wanted")',
    'common/mixins/wrong.js': 'module.exports = 5'
  })
  const mixins = findMixins(folder, ['loopback/common/mixins', '../common/mixins', './none'])
  t.strictSame(mixins.map(({ name }) => name), ['Broken', 'Other', 'TimeStamp', 'Wrong'])
  t.strictSame(
    (await perform(loadMixins(folder, mixins, ['timeStamp', 'Other', 'Unknown']))).map(({ name }) => name),
    ['Other', 'TimeStamp']
  )
  await rejects(
    t,
    async () => await perform(loadMixins(folder, mixins, ['Wrong'])),
    'FBK_BOOT_INVALID_CONFIG',
    'common/mixins/wrong.js'
  )
})

t.test('middleware.json', async t => {
  const folder = folderOf(t, {
    'server/middleware.json': {
      'initial:before': { 'loopback#favicon': {} },
      initial: {
        './stamp': [
          { name: 'one', params: { a: 1 } },
          { name: 'two', enabled: false }
        ],
        off: { enabled: false }
      },
      early: {
        '@scope/pack#part': {
          params: ['$!../client', { x: '$!./y', list: ['$!./z'] }],
          paths: '/a',
          methods: ['get'],
          optional: true
        }
      },
      routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } },
      'routes:after': { late: { params: '$!.hidden', verbs: ['ALL'] } }
    },
    'server/middleware.test.json': {
      initial: { './stamp': [{ name: 'one', params: { b: 2 } }, { name: 'three' }], off: { enabled: true } },
      'initial:before': { 'loopback#favicon': [{ name: 'n' }] }
    }
  })
  const { phases, entries, present } = await perform(loadMiddlewareConfig(folder, 'test', { ...nothing, setting: () => '/api' }, unchecked))
  t.ok(present)
  t.strictSame(phases, ['initial', 'early', 'routes'])
  t.strictSame(
    entries.map(({ phase, written, module, fragment, params, paths, methods, optional }) => ({
      phase,
      written,
      module,
      fragment,
      params,
      paths,
      methods,
      optional
    })),
    [
      {
        phase: 'initial:before',
        written: 'loopback#favicon',
        module: 'loopback',
        fragment: 'favicon',
        params: [],
        paths: [],
        methods: [],
        optional: false
      },
      {
        phase: 'initial',
        written: './stamp',
        module: './stamp',
        fragment: undefined,
        params: [{ a: 1, b: 2 }],
        paths: [],
        methods: [],
        optional: false
      },
      {
        phase: 'initial',
        written: './stamp',
        module: './stamp',
        fragment: undefined,
        params: [],
        paths: [],
        methods: [],
        optional: false
      },
      {
        phase: 'initial',
        written: 'off',
        module: 'off',
        fragment: undefined,
        params: [],
        paths: [],
        methods: [],
        optional: false
      },
      {
        phase: 'early',
        written: '@scope/pack#part',
        module: '@scope/pack',
        fragment: 'part',
        optional: true,
        paths: ['/a'],
        methods: ['GET'],
        params: [folder.path('../client'), { x: folder.path('y'), list: [folder.path('z')] }]
      },
      {
        phase: 'routes',
        written: 'loopback#rest',
        module: 'loopback',
        fragment: 'rest',
        params: [],
        paths: ['/api'],
        methods: [],
        optional: false
      },
      {
        phase: 'routes:after',
        written: 'late',
        module: 'late',
        fragment: undefined,
        params: ['$!.hidden'],
        paths: [],
        methods: [],
        optional: false
      }
    ]
  )
  const over = (files: Files) => async () =>
    await perform(loadMiddlewareConfig(
      folderOf(t, { 'server/middleware.json': { initial: { cors: {} } }, ...files }),
      'test',
      nothing,
      unchecked
    ))
  await rejects(
    t,
    over({ 'server/middleware.test.json': { later: {} } }),
    'FBK_BOOT_MERGE',
    'middleware.test.json',
    '"later"'
  )
  await rejects(t, over({ 'server/middleware.test.json': { initial: { helmet: {} } } }), 'FBK_BOOT_MERGE', '"helmet"')
  await rejects(t, over({ 'server/middleware.json': { initial: { cors: true } } }), 'FBK_BOOT_INVALID_CONFIG', '"cors"')
  await rejects(
    t,
    over({ 'server/middleware.json': { initial: { cors: { paths: 5 } } } }),
    'FBK_BOOT_INVALID_CONFIG',
    'paths'
  )
  await rejects(
    t,
    over({ 'server/middleware.json': { initial: { cors: { methods: [5] } } } }),
    'FBK_BOOT_INVALID_CONFIG',
    'methods'
  )
  await rejects(t, over({ 'server/middleware.json': { initial: 'cors' } }), 'FBK_BOOT_INVALID_CONFIG', '"initial"')
  t.equal((await perform(loadMiddlewareConfig(folderOf(t, {}), 'test', nothing, unchecked))).present, false)
})

t.test('component-config.json', async t => {
  const { components, off, present } = await perform(loadComponentConfig(
    folderOf(t, { 'server/component-config.json': { a: { x: '${n}' }, b: false, c: true, d: null } }),
    'test',
    { ...nothing, setting: () => 1 }
  ))
  t.strictSame(components, [{ name: 'a', options: { x: 1 } }, { name: 'c', options: true }])
  t.strictSame(off, ['b', 'd'])
  t.ok(present)
})

t.test('code of every kind is loaded', async t => {
  const folder = folderOf(t, {
    'package.json': { type: 'commonjs' },
    'server/a.js': 'module.exports = function a () {}',
    'server/b.mjs': 'export default function b () {}',
    'server/c.cjs': 'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = function c () {}',
    'server/d.js': 'throw new Error("boom")',
    'server/e.js': 'syntax error here',
    'server/esm/package.json': { type: 'module' },
    'server/esm/f.js': 'export default function f () {}; export const other = 1',
    'server/index-dir/index.js': 'module.exports = function g () {}',
    'server/coded.js': 'throw Object.assign(new Error("mine"), { code: "FBK_CORE_X" })',
    'node_modules/pack/package.json': { name: 'pack', exports: { '.': './main.js' } },
    'node_modules/pack/main.js': 'module.exports = function pack () {}',
    'node_modules/pack/inner/deep.js': 'module.exports = function deep () {}'
  })
  for (const [file, name] of [
    ['a.js', 'a'],
    ['b.mjs', 'b'],
    ['c.cjs', 'c'],
    ['esm/f.js', 'f']
  ] as const) { t.equal(((await perform(loadFile(folder, folder.path(file)))) as { name: string }).name, name) }
  for (const [named, name] of [
    ['./a', 'a'],
    ['./b', 'b'],
    ['./index-dir', 'g'],
    ['pack', 'pack'],
    ['pack/inner/deep.js', 'deep']
  ] as const) {
    t.equal(((await perform(loadModule(folder, named, 'here'))).exports as { name: string }).name, name)
  }
  await rejects(t, async () => await perform(loadFile(folder, folder.path('d.js'))), 'FBK_BOOT_SCRIPT', 'server/d.js', 'boom')
  await rejects(t, async () => await perform(loadFile(folder, folder.path('e.js'))), 'FBK_BOOT_SCRIPT', 'server/e.js')
  await rejects(t, async () => await perform(loadFile(folder, folder.path('coded.js'))), 'FBK_CORE_X', 'server/coded.js: mine')
  await rejects(
    t,
    async () => await perform(loadModule(folder, './none', 'server/middleware.json, "x"')),
    'FBK_BOOT_MODULE_NOT_FOUND',
    'server/middleware.json',
    './none'
  )
  await rejects(
    t,
    async () => await perform(loadModule(folder, '@scope/none/part', 'here')),
    'FBK_BOOT_MODULE_NOT_FOUND',
    'npm install @scope/none'
  )
})

t.test('boot scripts run in order and are waited for', async t => {
  const log = (name: string): string => `app.log.push('${name}')`
  const folder = folderOf(t, {
    'server/boot/B-callback.js': `module.exports = function (app, done) { setTimeout(() => { ${log('B')}; done() }, 20) }`,
    'server/boot/a-sync.js': `module.exports = function (app) { ${log('a')} }`,
    'server/boot/c-promise.mjs': `export default async app => { await new Promise(resolve => setTimeout(resolve, 5)); ${log('c')} }`,
    'server/boot/d-both.js': `module.exports = function (app, done) { ${log('d')}; return Promise.resolve().then(() => done()) }`,
    'server/boot/e-none.js': 'module.exports = { no: "function" }',
    'server/boot/_hidden.js': 'throw new Error("not loaded")',
    'server/boot/index.js': 'throw new Error("not loaded")',
    'server/boot/readme.txt': '',
    'server/boot/test/first.js': `module.exports = app => { ${log('test')} }`
  })
  const app = { log: [] as string[] }
  await perform(runBootScripts(folder, 'test', app))
  t.strictSame(app.log, ['a', 'B', 'c', 'd', 'test'])
  t.strictSame(scriptsIn(folder, undefined), [])
  const failing: Array<[string, string]> = [
    ['module.exports = () => { throw new Error("thrown") }', 'thrown'],
    ['module.exports = (app, done) => done(new Error("called back"))', 'called back'],
    ['module.exports = async () => { throw "rejected" }', 'rejected'],
    ['throw new Error("loading")', 'loading']
  ]
  for (const [i, [script, message]] of failing.entries()) {
    // Node keeps a module by its file's name.
    const file = `server/boot/${i}.js`
    await rejects(
      t,
      async () => {
        await perform(runBootScripts(folderOf(t, { [file]: script }), 'test', app))
      },
      'FBK_BOOT_SCRIPT',
      file,
      message
    )
  }
})

t.test('names', async t => {
  t.strictSame(['customer-receipt', 'customer_receipt', 'Product', 'product', 'TimeStamp'].map(classify), [
    'CustomerReceipt',
    'CustomerReceipt',
    'Product',
    'Product',
    'TimeStamp'
  ])
  t.strictSame(['customer-receipt', 'Product', 'my db'].map(camelize), ['customerReceipt', 'Product', 'myDb'])
})

t.test('a wrong name or value of every key of the configuration files is told', async t => {
  const lines: string[] = []
  const check = keyCheck(undefined, line => { lines.push(line) })
  const told = (write: () => void): string[] => { lines.length = 0; write(); return [...lines] }
  for (const vocabulary of [ModelEntryVocabulary, MetaVocabulary, MiddlewareEntryVocabulary, DataSourceVocabulary]) {
    for (const [key, schema] of Object.entries(vocabulary.properties)) {
      t.match(told(() => { check('here', { [`${key}x`]: 1 }, vocabulary) }), [/^here, .+x: is not known/], `${key}x`)
      if (schema.type === undefined && schema.anyOf === undefined) continue
      t.match(told(() => { check('here', { [key]: Symbol('wrong') }, vocabulary) }), [/must be/], key)
    }
  }
  t.strictSame(told(() => { check('here', { replicaSet: 'rs0' }, DataSourceVocabulary) }), [], 'a setting of a connector')
  t.throws(() => { keyCheck('strict', () => {})('server/model-config.json', { publc: true }, ModelEntryVocabulary) }, {
    code: 'FBK_CORE_INVALID_DEFINITION', message: /server\/model-config.json, publc: is not known. Did you mean "public"\?/
  })
})

t.test('every configuration file may name its JSON Schema', async t => {
  const folder = folderOf(t, {
    'server/datasources.json': { $schema: '../node_modules/@fastback/boot/schemas/datasources.json', db: { connector: 'memory' } },
    'server/model-config.json': { $schema: '../node_modules/@fastback/boot/schemas/model-config.json', Note: { dataSource: 'db' } }
  })
  t.strictSame((await perform(loadDataSources(folder, 'test', nothing, unchecked))).map(({ name }) => name), ['db'])
  t.strictSame([...(await perform(loadModelConfig(folder, 'test', unchecked))).models.keys()], ['Note'])
})
