/** The runner finds what it is there to find: an application in which every rule is broken, on purpose. */
import path from 'node:path'
import t, { type Test } from 'tap'
import { Attacker, campaign, confirmed, faultText, replay } from '@fastback/test-fixtures/fuzz'

const method = (name: string, body: string): string => `
  Note.${name} = async function (word) { ${body} }
  Note.remoteMethod('${name}', { accepts: { arg: 'word', type: 'string' }, returns: { arg: 'said', type: 'any', root: true }, http: { verb: 'get', path: '/${name.toLowerCase()}' } })`

/** A folder whose model has these methods; what they require from beside the folder is not the application's own. */
const folder = (t: Test, methods: Readonly<Record<string, string>>): string =>
  path.join(
    t.testdir({
      'library.cjs': "exports.crash = function () { setTimeout(function () { throw new Error('late') }, 0) }",
      app: {
        'package.json': '{}',
        server: {
          'config.json': '{ "restApiRoot": "/api", "host": "127.0.0.1", "port": 0 }',
          'datasources.json': '{ "db": { "connector": "memory" } }',
          'model-config.json':
            '{ "_meta": { "sources": ["./models"] }, "Note": { "dataSource": "db", "public": true } }',
          models: {
            'note.json':
              '{ "name": "Note", "hidden": ["secret"], "properties": { "title": "string", "secret": "string" } }',
            'note.js': `module.exports = function (Note) {${Object.entries(methods)
              .map(([name, body]) => method(name, body))
              .join('')}\n}`
          },
          boot: {
            'rows.js':
              "module.exports = async function (app) { await app.models.Note.create([{ title: 'a', secret: 'the first secret' }, { title: 'b', secret: 'the second secret' }]) }"
          }
        }
      }
    }),
    'app'
  )

const leak = 'return (await Note.findOne()).secret'
const settings = { store: 'memory', slow: 40, silence: 3_000 } as const
const wanted: Array<[route: string, what: RegExp]> = [
  ['leak', /^hidden value: the first secret/],
  ['pollute', /^polluted prototype: Object\.polluted/],
  ['busy', /^(slow|no response): /],
  ['path', /^a path of the machine/],
  ['sql', /^the words of a driver/],
  ['crash', /^crash: [^]*late/],
  ['hang', /^crash: the server hung/]
]

t.test('every rule that is broken is told', async t => {
  const dir = folder(t, {
    leak,
    pollute: 'Object.prototype.polluted = 1',
    busy: 'const until = process.cpuUsage().user + 60000; while (process.cpuUsage().user < until);',
    path: "throw Object.assign(new Error('no ' + __filename), { statusCode: 404 })",
    sql: "throw Object.assign(new Error('SQLITE_ERROR: no such table: x'), { statusCode: 400 })",
    crash: "require('../../../library.cjs').crash()",
    hang: 'for (;;);',
    own: "throw new Error('mine')",
    end: "setTimeout(function () { throw new Error('mine') }, 0)"
  })
  const attacker = new Attacker({ ...settings, dir })
  t.teardown(() => attacker.end())
  const ask = async (route: string) =>
    await confirmed(attacker, {
      together: false,
      requests: [{ operation: `Note.${route}`, verb: 'GET', target: `/api/Notes/${route}`, headers: [] }]
    })
  t.equal(await ask('count'), undefined, 'what is right is no fault')
  t.equal(await ask('own'), undefined, 'what the application throws is its own affair')
  t.equal((await attacker.attack()).statistics.applicationErrors['Note.own'], 1, 'and is counted')
  for (const [route, what] of wanted) t.match((await ask(route))?.what, what, route)
  t.equal(await ask('end'), undefined, 'where the application ends the process, nobody else did')
  t.equal((await attacker.attack()).statistics.applicationErrors['the process ended'], 1, 'that is counted, too')
  t.equal(await ask('count'), undefined, 'and it goes on')
})

t.test('a fault is found, made small, and repeated from what is printed', async t => {
  const options = { ...settings, slow: 5_000, dir: folder(t, { leak }) }
  const { found } = await campaign({ ...options, seed: 7, requests: 4_000, seconds: 100, faults: 1, shrinkSeconds: 30 })
  const [first] = found
  if (first === undefined) return t.fail('nothing was found')
  const text = faultText(first, 'http://127.0.0.1:3000')
  t.comment(text)
  t.match(text, /^FAULT /)
  t.match(text, /(curl|printf) .*\/api\/notes\//i, 'a line that repeats it')
  t.ok(first.session.requests.length <= 3, 'made small')
  const again = await replay(options, first.replay)
  t.equal(again?.fault.signature, first.fault.signature)
})
