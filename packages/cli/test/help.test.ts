// FASTBACK_TEST_FULL: the examples of all commands are run.
/** CL-6: every command has an example, and the examples run. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { newApplication } from '../src/index.js'
import { exampleOf } from '../src/examples.js'
import { run } from './terminal.js'

const source = (name: string): string => readFileSync(fileURLToPath(new URL(`../src/${name}`, import.meta.url)), 'utf8')

/** Names of the commands, as `main` and `add` have them. */
const commands = [...source('main.ts').matchAll(/^ {2}'?([a-z\d-]+)'?: async \(\) =>/gm)].map(([, name]) => String(name))
const parts = [...source('commands/add.ts').matchAll(/^ {2}'?([a-z-]+)'?: async \(\) =>/gm)].map(([, name]) => `add ${String(name)}`)

t.test('each command ends its help with an example of it', async t => {
  t.ok(commands.length > 20 && parts.length > 10)
  const cwd = t.testdir()
  for (const name of [...commands, ...parts]) {
    const { code, out } = await run(cwd, ['help', ...name.split(' ')])
    t.equal(code, 0, name)
    const example = /EXAMPLE\s+(fastback .*)/.exec(out)?.[1]
    t.match(example, new RegExp(`^fastback ${name}\\b`))
    t.same(out, (await run(cwd, [...name.split(' '), '--help'])).out)
  }
  t.match(await run(cwd, ['help', 'nothing']), { code: 2, err: /There is no command "nothing"/ })
  t.match(await run(cwd, ['help', 'bluemix']), { code: 2, err: /"bluemix": the cloud .* is gone/ })
})

/** Those that go on running, need another server, keys, or a folder without git, have tests of their own. */
const elsewhere = ['serve', 'mcp', 'record', 'compare', 'discover', 'add datasource', 'undo', 'rekey', 'oauth2']
/** Examples in the order in which one makes what the next one names. */
const order = [
  'build', 'routes', 'openapi', 'types', 'client', 'migrate', 'acl', 'audit', 'export-api', 'console', 'completion', 'push', 'upgrade',
  'modernize', 'add model', 'add property', 'introspect', 'import-api', 'add relation', 'add acl',
  'add middleware', 'add boot-script', 'add mixin', 'add component', 'add remote-method', 'add method', 'datasource',
  'seed', 'query', 'add user-model', 'explain', 'doctor',
  // From here on variables are missing, which the doctor tells.
  'add login'
]

t.test('the examples run, in a folder of the template notes', async t => {
  t.same([...new Set([...order, ...elsewhere, 'new', 'add'])].sort(), [...commands, ...parts].sort(), 'none is left out')
  const cwd = t.testdir()
  const { folder } = await newApplication({ name: 'notes', template: 'notes', cwd })
  writeFileSync(path.join(folder, 'server/datasources.json'), JSON.stringify({ db: { connector: 'memory' } }))
  writeFileSync(path.join(folder, 'orders.ndjson'), '{"total":1,"paid":true}\n{"total":2,"paid":false}\n')
  writeFileSync(path.join(folder, 'petstore.yaml'), 'openapi: 3.0.0\ninfo: { title: pets, version: 1.0.0 }\npaths: {}\n' +
    'components: { schemas: { Customer: { type: object, properties: { name: { type: string } } } } }\n')
  for (const made of ['seeds', 'web']) mkdirSync(path.join(folder, made))
  writeFileSync(path.join(folder, 'seeds/Coffee.json'), '[{ "title": "Mocha" }]')
  const ends: Record<string, number> = {}
  for (const name of order) {
    const words = wordsOf(String(exampleOf(name)))
    const dirty = name.startsWith('add ') || /^(?:introspect|import-api|upgrade|modernize)$/.test(name) ? ['--allow-dirty'] : []
    const { code, err } = await run(folder, [...words, ...dirty])
    ends[name] = code
    if (code !== 0) t.comment(name, err)
  }
  t.same(ends, Object.fromEntries(order.map(name => [name, 0])))
  t.equal((await run(cwd, [...wordsOf(String(exampleOf('new'))), '--yes'])).code, 0)
})

/** As a shell takes a line apart. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => single ?? double ?? plain ?? '').slice(1)
