// FASTBACK_TEST_FULL: every template is made, installed and served.
/**
 * What `fastback new` makes: it boots, its own tests pass, its types are up to date and hold, its configuration is what
 * the specification says.
 */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { compileFiles } from '../../../test-fixtures/compiler.mjs'
import { audit, createServer, newApplication, templates, writeModelTypes } from '../src/index.js'

const execute = promisify(execFile)
const json = (...file: string[]) => JSON.parse(readFileSync(path.join(...file), 'utf8'))

/** A new application. It is below the workspace, whose node_modules it finds. */
async function make (t: Test, template: string): Promise<string> {
  return (await newApplication({ name: 'app', template, cwd: t.testdir() })).folder
}

/** What the compiler has to say of an application, with one more file. */
function compile (folder: string, extra: string): string[] {
  writeFileSync(path.join(folder, 'server/types.ts'), extra)
  const { config } = ts.readConfigFile(path.join(folder, 'jsconfig.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    folder,
    undefined,
    path.join(folder, 'jsconfig.json')
  )
  return compileFiles(fileNames, options)
}

/** Those that are folders; the one in code has a test of its own (test-fixtures/test/typescript-template.test.ts). */
const folders = templates.filter(({ form = 'folder' }) => form === 'folder')

for (const { name } of folders) {
  t.test(name, async t => {
    const folder = await make(t, name)
    await t.resolves(writeModelTypes(folder, { check: true }), 'models.d.ts is what "fastback types" writes')
    await t.resolves(
      execute(process.execPath, ['--test'], {
        cwd: folder,
        env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined }
      }),
      'its tests pass'
    )

    const { remoting, restApiRoot } = json(folder, 'server/config.json')
    t.equal(restApiRoot, '/api')
    t.match(remoting, { context: false, cors: false, rest: { handleErrors: false } })
    const { initial, 'final:after': last } = json(folder, 'server/middleware.json')
    t.strictSame(initial.cors.params, { origin: true, credentials: false, maxAge: 86400 })
    t.strictSame(last['fastback#errors'].params, { debug: false, log: true })
    const words = ['middleware', 'component-config', 'component-config.production']
      .map(file => readFileSync(path.join(folder, `server/${file}.json`), 'utf8')).join('')
    t.notMatch(words, /loopback|strong-error-handler/, 'what Fastback has under its own names')
  })
}

t.test('they start without a warning, are strict about definitions, and point editors at the schemas', async t => {
  for (const { name } of folders) {
    const folder = await make(t, name)
    const said: unknown[] = []
    const tell = (...line: unknown[]): void => { said.push(line) }
    const silent = (): void => {}
    const log = {
      level: 'warn', fatal: tell, error: tell, warn: tell, info: silent, debug: silent, trace: silent, silent, child: () => log
    }
    const { fastify, stop } = await createServer(folder, {
      dataSources: { db: { connector: 'memory' } },
      log
    })
    await fastify.ready()
    t.equal(fastify.registry.settings.modelDefinitions, 'strict')
    await stop()
    t.strictSame(said, [], name)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/(?:models|server)[\\/](?!config\.json)[\w-]+(?:\.production)?\.json$/.test(file)) continue
      const address = path.resolve(folder, path.dirname(file), json(folder, file).$schema as string)
      const schema = path.relative(path.join(folder, 'node_modules/@fastback/boot'), address)
      t.ok(existsSync(new URL(schema, new URL('../../boot/', import.meta.url))), `${name}: ${file} leads to ${schema}`)
    }
  }
})

t.test('access control is on in all but empty-server', async t => {
  for (const { name } of folders) {
    const { app, stop } = await createServer(await make(t, name), {
      dataSources: { db: { connector: 'memory' } },
      log: false
    })
    t.equal(app.isAuthEnabled, name !== 'empty-server', name)
    await stop()
  }
})

t.test('the audit has nothing to say about a new application, in no environment', async t => {
  for (const { name } of folders) {
    const folder = await make(t, name)
    for (const env of ['production', 'development']) {
      t.strictSame((await audit(folder, { env })).findings, [], `${name}, ${env}`)
    }
  }
})

t.test('built-in models that are published by mistake stay closed', async t => {
  const folder = await make(t, 'api-server')
  const file = path.join(folder, 'server/model-config.json')
  const models = json(file)
  for (const [name, model] of Object.entries<{ public: boolean }>(models)) if (!['_meta', '$schema'].includes(name)) model.public = true
  writeFileSync(file, JSON.stringify(models))
  const { fastify, stop } = await createServer(folder, { dataSources: { db: { connector: 'memory' } }, log: false })
  for (const name of ['AccessTokens', 'ACLs', 'Roles', 'RoleMappings']) {
    t.equal((await fastify.inject(`/api/${name}`)).statusCode, 401, name)
    t.equal(
      (await fastify.inject({ method: 'POST', url: `/api/${name}`, payload: { name: 'admin' } })).statusCode,
      401,
      name
    )
  }
  await stop()
})

t.test('other origins: allowed, without credentials', async t => {
  const { fastify, stop } = await createServer(await make(t, 'hello-world'), { log: false })
  const { statusCode, headers } = await fastify.inject({
    method: 'OPTIONS',
    url: '/api/Messages/greet',
    headers: { origin: 'https://else.example', 'access-control-request-method': 'GET' }
  })
  t.equal(statusCode, 204)
  t.match(headers, { 'access-control-allow-origin': 'https://else.example', 'access-control-max-age': '86400' })
  t.equal(headers['access-control-allow-credentials'], undefined)
  await stop()
})

t.test('the types of models hold', async t => {
  t.strictSame(
    compile(
      await make(t, 'notes'),
      `
    import type { Application, Note, NoteModel } from '../models.js'
    type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
    const expect = <T extends true>(): T | undefined => undefined

    expect<Equal<Note, { id: number, title: string, content?: string | null, done: boolean | null, createdAt: Date | null, categoryId?: number | null, ownerId?: number | null, version: number }>>()

    export async function use (app: Application, Notes: NoteModel) {
      const { Note, Category } = app.models
      // @ts-expect-error no such model
      app.models.Noet.find()
      const [found] = await Note.find({ where: { title: { like: 'a%' } }, include: 'category' })
      const category = found?.toJSON().category
      expect<Equal<typeof category, { id: number, name: string } | undefined>>()
      await (await Category.findById(1))?.notes.create({ title: 'x' })
      const finished = await (await Note.create({ title: 'a' })).finish()
      expect<Equal<typeof finished, Note>>()
      Notes.prototype.finish = async function () { return await this.patchAttributes({ done: true }) }
      Notes.beforeRemote('prototype.finish', async ctx => { ctx.instance.title.trim() })
      Notes.afterRemote('prototype.finish', async ctx => { ctx.result.title.trim() })
      Notes.afterRemote('find', async (_ctx, rows) => { rows[0]?.title.trim() })
      const token = await app.models.User.login({ email: 'a@x', password: 'secret' })
      expect<Equal<typeof token.id, string>>()
      const user = await app.models.User.findOne({ where: { email: 'a@x' }, include: 'accessTokens' })
      const isRight: boolean | undefined = await user?.hasPassword('secret')
      // @ts-expect-error a login needs a password
      await app.models.User.login({ email: 'a@x' })
      // @ts-expect-error no such result
      Notes.afterRemote('prototype.finish', async ctx => { ctx.result.titel.trim() })
      // @ts-expect-error no such property
      await Note.find({ where: { titel: 'x' } })
      // @ts-expect-error the title is missing
      await Note.create({})
      // @ts-expect-error no such property
      Notes.validatesLengthOf('titel', { max: 3 })
      // @ts-expect-error no such method
      Notes.prototype.begin = async function () {}
    }
  `
    ),
    []
  )
  t.strictSame(compile(await make(t, 'hello-world'), `
    import type { MessageModel } from '../models.js'
    export async function use (Message: MessageModel) {
      const greeting: string = await Message.greet('Ann')
      // @ts-expect-error a name is text
      await Message.greet(5)
      return greeting
    }
  `), [])
  t.match(
    compile(await make(t, 'empty-server'), 'export const n: number = "text"'),
    [/^types\.ts: /],
    'the files are looked at'
  )
})
