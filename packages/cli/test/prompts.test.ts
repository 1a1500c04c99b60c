/** Every generator is answered at a terminal, one of them at a real one; what was written is served. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import t, { type Test } from 'tap'
import { newApplication } from '../src/index.js'
import { address, start } from './child.js'
import { down, enter, talk, type Step } from './dialogue.js'

async function shop (t: Test): Promise<string> {
  const { folder } = await newApplication({ name: 'shop', template: 'empty-server', cwd: t.testdir() })
  writeFileSync(path.join(folder, 'server/datasources.json'), '{\n  "db": { "connector": "memory" }\n}\n')
  return folder
}

const json = (folder: string, file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'))

/** The generators with the questions that come up and the keys that answer them. */
const dialogues: ReadonlyArray<readonly [what: string, steps: readonly Step[]]> = [
  ['model', [
    ['Name of the model', `Tea${enter}`], ['Which data source', enter], ['extend', enter], ['Publish', enter],
    ['Plural', `teas${enter}`], ['server\'s own', enter], ['Who may', down + down + enter],
    ['A property', `title${enter}`], ['Its type', enter], ['Required', 'y'], ['Default', enter], ['A property', enter]
  ]],
  ['property', [
    ['Which model', enter], ['Name of the property', `cups${enter}`], ['Its type', down + enter], ['Required', enter],
    ['Default', `2${enter}`]
  ]],
  ['relation', [
    ['Which model', enter], ['type of relation', down + enter], ['lead to', enter], ['Name of the relation', `blend${enter}`],
    ['foreign key', `blendId${enter}`], ['Publish the other', enter], ['Keep callers', enter]
  ]],
  ['remote-method', [
    ['Which model', enter], ['Name of the method', `brew${enter}`], ['method of the model', enter],
    ['What does it do', `Brews${enter}`],
    ['An endpoint', `/brew${enter}`], ['Its verb', enter], ['An endpoint', enter],
    ['An argument', `cups${enter}`], ['Its type', down + enter], ['Required', 'y'], ['What it is', enter], ['in the request', enter],
    ['An argument', enter],
    ['A result', `ready${enter}`], ['Its type', down + down + enter], ['whole answer', enter], ['What it is', enter],
    ['A result', enter]
  ]],
  ['mixin', [['Name of the mixin', `Stamped${enter}`], ['Which models', ` ${enter}`]]],
  ['component', [['Which component', `./components/metrics${enter}`], ['Its options', `{"on":true}${enter}`]]],
  ['middleware', [
    ['Which middleware', `./middleware/stamp${enter}`], ['In which phase', enter], ['Where in the phase', enter],
    ['For which paths', `/api${enter}`], ['Its params', enter]
  ]],
  ['boot-script', [['Name of the script', `greet${enter}`], ['start wait', enter]]],
  ['datasource', [['Name of the data', `cache${enter}`], ['Which connector', enter], ['File', enter], ['further setting', enter]]],
  ['user-model', [['Name of the user', `Member${enter}`], ['data source', enter], ['model of tokens', enter]]],
  ['acl', [
    ['Which model', down + down + enter], ['For what', enter], ['type of access', enter], ['Whose', enter], ['What then', enter]
  ]]
]

t.test('CL-1: all eleven generators ask for what they need, and what they write is served', async t => {
  const folder = await shop(t)
  for (const [what, steps] of dialogues) {
    const { code, err, left } = await talk(folder, ['add', what, '--allow-dirty'], steps)
    t.equal(code, 0, `${what}: ${err}`)
    t.same(left, [], what)
  }
  const { properties, relations, mixins, methods, acls } = json(folder, 'common/models/tea.json')
  t.same(properties, { title: { type: 'string', required: true }, cups: { type: 'number', default: 2 } })
  t.same(relations, { blend: { type: 'belongsTo', model: 'Tea', foreignKey: 'blendId' } })
  t.same(mixins, { Stamped: true })
  t.same(methods.brew, {
    accepts: [{ arg: 'cups', type: 'number', required: true }],
    returns: [{ arg: 'ready', type: 'boolean', root: false }],
    description: 'Brews',
    http: [{ path: '/brew', verb: 'post' }]
  })
  t.same(acls, [{ accessType: '*', principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }])
  t.match(json(folder, 'server/component-config.json'), { './components/metrics': { on: true } })
  t.match(json(folder, 'server/middleware.json').routes, { './middleware/stamp': { paths: ['/api'] } })
  t.match(json(folder, 'server/datasources.json').cache, { connector: 'memory' })
  t.ok(existsSync(path.join(folder, 'server/boot/greet.js')))

  // Another process: this one has kept the scripts as they were before methods were added.
  const url = await address(start(t, ['serve', folder, '--port', '0']))
  const post = async (at: string, body: object): Promise<Response> => await fetch(`${url}/api/${at}`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)
  })
  t.match(await (await post('teas', { title: 'Assam' })).json(), { title: 'Assam', cups: 2, id: 1 })
  t.equal((await post('teas/brew', { cups: 1 })).status, 501, 'nobody has written it')
})

const bin = fileURLToPath(new URL('../bin/fastback.js', import.meta.url))

/** Runs the built command line in a pseudo terminal: that of util-linux. */
async function atTerminal (
  cwd: string, args: readonly string[], steps: readonly Step[]
): Promise<{ code: number, shown: string }> {
  // A terminal without a size has no columns.
  const words = [process.execPath, bin, ...args].map(word => `'${word}'`)
  const line = `stty cols 100 rows 40 && ${words.join(' ')}`
  const { CI, ...env } = process.env
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env: { ...env, TERM: 'xterm' }, stdio: 'pipe' })
  const left = [...steps]
  let shown = ''
  let fresh = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const text = stripVTControlCharacters(chunk.toString())
    shown += text
    fresh += text
    const [next] = left
    if (next === undefined || !fresh.includes(next[0])) return
    left.shift()
    fresh = ''
    child.stdin.write(next[1])
  })
  const [code] = await once(child, 'close') as [number]
  return { code, shown }
}

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

t.test('CL-1: a generator at a real terminal', {
  skip: hasScript ? false : 'there is no "script" of util-linux, which makes a pseudo terminal'
}, async t => {
  const folder = await shop(t)
  const { code, shown } = await atTerminal(folder, ['add', 'boot-script', '--allow-dirty'], [
    ['Name of the script', `gr.eet${enter}`], ['a name has no', `\u007f\u007f\u007f\u007f\u007f\u007fhello${enter}`], ['start wait', down + enter]
  ])
  t.equal(code, 0, shown)
  t.match(shown, 'created  server/boot/hello.js')
  t.match(readFileSync(path.join(folder, 'server/boot/hello.js'), 'utf8'), 'export default function hello (app)')
  const stopped = await atTerminal(folder, ['add', 'mixin', '--allow-dirty'], [['Name of the mixin', '\u0003']])
  t.equal(stopped.code, 130, 'Ctrl-C')
  t.notOk(existsSync(path.join(folder, 'common/mixins')))
})
