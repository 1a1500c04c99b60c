/** The runner finds what it is there to find: an application in which every rule is broken, on purpose. */
import t from 'tap'
import { campaign, faultText } from '@fastback/test-fixtures/fuzz'

const method = (name: string, body: string): string => `
  Note.${name} = async function (word) { ${body} }
  Note.remoteMethod('${name}', { accepts: { arg: 'word', type: 'string' }, returns: { arg: 'said', type: 'any', root: true }, http: { verb: 'get', path: '/${name.toLowerCase()}' } })`

const dir = t.testdir({
  'package.json': '{}',
  server: {
    'config.json': '{ "restApiRoot": "/api", "host": "127.0.0.1", "port": 0 }',
    'datasources.json': '{ "db": { "connector": "memory" } }',
    'model-config.json': '{ "_meta": { "sources": ["./models"] }, "Note": { "dataSource": "db", "public": true } }',
    models: {
      'note.json': '{ "name": "Note", "hidden": ["secret"], "properties": { "title": "string", "secret": "string" } }',
      'note.js': `module.exports = function (Note) {${method('leak', 'return (await Note.findOne()).secret')}
${method('pollute', 'Object.prototype.polluted = 1')}
${method('crash', "setTimeout(function () { throw new Error('late') }, 0)")}
${method('busy', 'const until = Date.now() + 400; while (Date.now() < until);')}
${method('path', "throw Object.assign(new Error('no ' + __filename), { statusCode: 404 })")}
${method('sql', "throw Object.assign(new Error('SQLITE_ERROR: no such table: x'), { statusCode: 400 })")}
${method('own', "throw new Error('mine')")}
}`
    },
    boot: { 'rows.js': "module.exports = async function (app) { await app.models.Note.create([{ title: 'a', secret: 'the first secret' }, { title: 'b', secret: 'the second secret' }]) }" }
  }
})

t.test('every rule that is broken is told, with the smallest request', async t => {
  const { found, statistics } = await campaign({ dir, store: 'memory', seed: 7, requests: 4_000, seconds: 120, faults: 6, slow: 200 })
  const texts = found.map(each => faultText(each, 'http://127.0.0.1:3000'))
  t.comment(texts.join('\n'))
  const wanted: Array<[what: RegExp, route: string]> = [
    [/^FAULT hidden value: the first secret/, 'leak'], [/^FAULT polluted prototype: Object\.polluted/, 'pollute'], [/^FAULT crash: [^]*late/, 'crash'], [/^FAULT slow: /, 'busy'],
    [/^FAULT a path of the machine/, 'path'], [/^FAULT the words of a driver/, 'sql']
  ]
  for (const [what, route] of wanted) {
    const index = texts.findIndex(text => what.test(text))
    t.ok(index !== -1, String(what))
    if (index === -1) continue
    t.match(texts[index], new RegExp(`/api/Notes/${route}`, 'i'), 'a line that repeats it')
    t.ok((found[index]?.session.requests.length ?? 99) <= 3, 'made small')
  }
  t.notMatch(texts.join('\n'), /mine/, 'what the application throws is its own affair')
  t.ok((statistics.applicationErrors['Note.own'] ?? 0) > 0, 'and is counted')
})
