// FASTBACK_TEST_FULL: a process for each command.
/** What stopped people on their first day: folders half made, variables not set, tables not there. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, newApplication } from '../src/index.js'
import { serve } from '../src/serve.js'
import { execute } from '../../../test-fixtures/scratch.mjs'
import { run } from './terminal.js'

/** A file of SQLite with a table, one with a key of two columns and one without any. */
async function shop (folder: string): Promise<string> {
  const url = `sqlite:${path.join(folder, 'shop.db')}`
  await execute(url,
    'create table customers (id integer primary key, name text not null)',
    'create table lines (shop int not null, line int not null, qty int, primary key (shop, line))',
    'create table logs (message text)')
  return url
}

/** A variable of the environment for the time of a test. */
function variable (t: Test, name: string, value: string | undefined): void {
  const before = process.env[name]
  const set = (text: string | undefined): void => {
    if (text === undefined) delete process.env[name]
    else process.env[name] = text
  }
  set(value)
  t.teardown(() => { set(before) })
}

t.test('a folder that is half made is taken away, and none that was there', async t => {
  const cwd = t.testdir({ there: { '.git': { HEAD: 'ref' } } })
  const away = ['--database', 'postgres://nobody@127.0.0.1:1/none', '--yes']
  t.equal((await run(cwd, ['new', 'shops/mine', ...away])).code, 1)
  t.notOk(existsSync(path.join(cwd, 'shops')), 'with the folder above, which was made for it')
  t.equal((await run(cwd, ['new', 'there', ...away])).code, 1)
  t.strictSame(readdirSync(path.join(cwd, 'there')), ['.git'])
  writeFileSync(path.join(cwd, 'there/mine.txt'), '')
  t.match(await run(cwd, ['new', 'there', ...away]), { code: 1, err: /FBK_CLI_FOLDER_NOT_EMPTY/ })
  t.strictSame(readdirSync(path.join(cwd, 'there')), ['.git', 'mine.txt'])
})

t.test('new --database says what it found, what is not published, and where users are', async t => {
  const cwd = t.testdir({})
  const { code, out, err } = await run(cwd, ['new', 'shop', '--database', await shop(cwd), '--yes'])
  t.equal(code, 0, err)
  t.match(out, /Found 3 tables in the data source "database": 3 models, 2 of them published\./)
  t.match(out, /Not published: Line\. Why stands at each/)
  t.match(out, /Users, their tokens and roles are not in that database: they are in a second one, the data source "db"/)
  t.match(JSON.parse((await run(cwd, ['new', 'other', '--database', `sqlite:${path.join(cwd, 'shop.db')}`, '--yes', '--json'])).out), {
    dataSource: 'database', models: [{ model: 'Customer', published: true }, { model: 'Line', published: false }, { published: true }]
  })
})

t.test('a variable that is not set is named, and --env-file sets it for every command that looks', async t => {
  variable(t, 'DATABASE_URL', undefined)
  const cwd = t.testdir({})
  t.equal((await run(cwd, ['new', 'shop', '--database', await shop(cwd), '--yes'])).code, 0)
  const folder = path.join(cwd, 'shop')
  await t.rejects(createServer(folder, { log: false }), {
    code: 'FBK_CORE_DATA_SOURCE_SETTINGS',
    message: /^server\/datasources\.json: .*"\$\{DATABASE_URL\}" stands for nothing: set DATABASE_URL in the environment/
  })
  const without = await run(folder, ['acl', 'explain', 'Customer', 'find'])
  t.match(without, { code: 1, err: /set DATABASE_URL in the environment, or name a file that does with --env-file/ })
  for (const command of [
    ['acl', 'explain', 'Customer', 'find'], ['routes'], ['client'], ['doctor'], ['audit'], ['openapi'], ['types', '--check']
  ]) {
    // What is set in a process stays: each command begins without it.
    delete process.env.DATABASE_URL
    const { err } = await run(folder, [...command, '--env-file', '.env'], process.env)
    t.notMatch(err, /FBK_CLI_USAGE|DATABASE_URL/, command.join(' '))
    t.match(process.env.DATABASE_URL, /^sqlite:/, command.join(' '))
  }
})

t.test('acl explain and doctor say what they can where there are no tables', async t => {
  const cwd = t.testdir({})
  const { folder } = await newApplication({ name: 'app', template: 'notes', cwd })
  const file = path.join(folder, 'server/datasources.json')
  writeFileSync(file, JSON.stringify({ db: { ...JSON.parse(readFileSync(file, 'utf8')).db, migrate: 'none' } }))
  mkdirSync(path.join(folder, 'data'))
  const { code, out, err } = await run(folder, ['acl', 'explain', 'Note', 'create', '--user', '1'])
  t.equal(code, 0, err)
  t.match(out, /^(?:allowed|refused) {2}Note\.create/)
  t.match(err, /^Tables are missing, so this is what the definitions alone say.*"fastback migrate"/)
  const doctor = await run(folder, ['doctor'])
  t.match(doctor.out, /not ok {2}tables of db: They are not what the models say/)
  t.match(doctor.out, /fix: fastback migrate/)
  t.notMatch(doctor.out, /no such table/)
})

t.test('PORT and HOST are blamed where they are wrong', async t => {
  const { folder } = await newApplication({ name: 'app', template: 'empty-server', cwd: t.testdir({}) })
  const message = async (): Promise<string> => {
    try {
      await (await serve(folder, { log: false })).close()
      return ''
    } catch (error) {
      return `${(error as { code: string }).code} ${(error as Error).message}`
    }
  }
  variable(t, 'HOST', undefined)
  variable(t, 'PORT', 'abc')
  t.match(await message(), /^FBK_BOOT_INVALID_CONFIG the environment: "PORT" must be a number from 0 to 65535, or the path of a socket, not "abc"/)
  process.env.PORT = '70000'
  t.match(await message(), /^FBK_BOOT_INVALID_CONFIG the environment: "PORT" must be a number from 0 to 65535, not 70000/)
  process.env.PORT = '0'
  process.env.HOST = 'http://localhost'
  t.match(await message(), /^FBK_BOOT_INVALID_CONFIG the environment: "HOST" must be the name or the IP address/)
  process.env.HOST = '192.0.2.7'
  t.match(await message(), /^FBK_CLI_HOST Nothing can listen on "192\.0\.2\.7".*HOST in the environment says it/)
})

t.test('/ of a new application leads programs to its explorer, and browsers to its studio', async t => {
  const { folder } = await newApplication({ name: 'app', template: 'empty-server', cwd: t.testdir({}) })
  const server = await createServer(folder, { log: false })
  t.teardown(() => server.stop())
  await server.fastify.ready()
  t.match((await server.fastify.inject('/')).json(), { explorer: '/explorer', uptime: Number })
  const page = await server.fastify.inject({ url: '/', headers: { accept: 'text/html' } })
  t.match({ status: page.statusCode, location: page.headers.location }, { status: 302, location: './studio/' })
  t.equal((await server.fastify.inject('/studio/')).statusCode, 200)
  t.equal((await server.fastify.inject('/explorer/')).statusCode, 200)
})
