// FASTBACK_TEST_FULL: an application is compiled with all its types.
/**
 * `fastback new --template typescript`: it compiles as its tsconfig.json says, its tests pass, what is built serves,
 * and `add model` and `discover` write into it.
 */
import { execFile } from 'node:child_process'
import { readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { audit, newApplication } from '@fastback/cli'
import { discover, writeFiles } from '@fastback/cli/folder'
import { addBootScript, addModel } from '@fastback/cli/generators'
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { compileFiles } from '../compiler.mjs'

const execute = promisify(execFile)
const environment = { ...process.env, NODE_OPTIONS: '--conditions=unbundled', NODE_TEST_CONTEXT: undefined }

/** A new application. Beside it are the packages that these tests may import. */
async function make (t: Test): Promise<string> {
  const cwd = t.testdir({ node_modules: t.fixture('symlink', path.join(import.meta.dirname, '../node_modules')) })
  return (await newApplication({ name: 'app', template: 'typescript', cwd })).folder
}

/**
 * What the compiler has to say of an application; with `emit` it is built as well, the tests with it. Of the packages'
 * own types only with FASTBACK_TEST_FULL.
 */
function compile (folder: string, { emit = false } = {}): string[] {
  const file = path.join(folder, 'tsconfig.json')
  const { config } = ts.readConfigFile(file, ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  const built = emit ? { noEmit: false, rootDir: folder, outDir: path.join(folder, 'built') } : {}
  const isAll = emit && process.env.FASTBACK_TEST_FULL !== undefined
  return compileFiles(fileNames, { ...options, ...built }, { emit, own: isAll ? undefined : folder })
}

t.test('an application in TypeScript', async t => {
  const folder = await make(t)

  await t.test('add model writes a module and its export', async t => {
    const options = {
      name: 'Tag',
      acl: 'owner',
      properties: [{ name: 'label', type: 'string', required: true }, { name: 'size', type: 'number' }]
    } as const
    const { changes, next } = await addModel(folder, options)
    t.same(changes.changes.map(({ file }) => file).sort(), [
      'src/models/index.ts', 'src/models/tag.model.ts'
    ])
    t.same(next, ['npm run dev'])
    writeFiles(folder, changes.changes)
    const exported = readFileSync(path.join(folder, 'src/models/index.ts'), 'utf8')
    t.match(exported, /note\.model\.ts'\nexport \* from '\.\/tag\.model\.ts'\n$/)
    t.equal((await addModel(folder, options)).changes.changes.length, 0, 'the same again changes nothing')
    await t.rejects(addModel(folder, { ...options, acl: 'open' }), { code: 'FBK_CLI_EXISTS' })
    await t.rejects(addModel(folder, { name: 'Note' }), { code: 'FBK_CLI_EXISTS' }, 'whatever its file is called')
    await t.rejects(addModel(folder, { name: 'Other', dataSource: 'db' }), { code: 'FBK_CLI_USAGE' })
    await t.rejects(addBootScript(folder, { name: 'late' }), { code: 'FBK_CLI_CODE_APPLICATION' })
  })

  await t.test('it compiles with strict and skipLibCheck: false, its tests pass, and audit finds nothing', async t => {
    const { compilerOptions } = JSON.parse(readFileSync(path.join(folder, 'tsconfig.json'), 'utf8'))
    t.match(compilerOptions, { strict: true, skipLibCheck: false })
    t.strictSame(compile(folder, { emit: true }), [])
    const test = path.join(folder, 'built/test/notes.test.js')
    await t.resolves(execute(process.execPath, ['--test', test], { cwd: folder, env: environment }))
    t.strictSame((await audit(path.join(folder, 'built/src/app.js'))).findings, [])
  })

  await t.test('discover writes modules of the tables that its database has', async t => {
    // What "npm run build" makes.
    renameSync(path.join(folder, 'built/src'), path.join(folder, 'dist'))
    const url = `sqlite:${path.join(folder, 'shop.db')}`
    const shop = Fastify()
    await shop.register(core, { dataSources: { db: { connector: sqlConnector, url } } })
    await shop.ready()
    await shop.registry.dataSources.db?.execute('CREATE TABLE supplier (id INTEGER PRIMARY KEY, name TEXT NOT NULL)')
    await shop.close()
    t.teardown(() => { delete process.env.DATABASE_URL })
    process.env.DATABASE_URL = url
    const { changes, models } = await discover(folder, { open: true })
    t.match(models, [{ model: 'Supplier', file: 'src/models/supplier.model.ts', state: 'new' }])
    writeFiles(folder, changes.changes)
    t.strictSame(compile(folder), [])
  })
})
