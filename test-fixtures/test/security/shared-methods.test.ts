/** Methods that model-config.json adds or opens: S-97. */
import tap from 'tap'
import { temporaryApp } from './folders.js'
import { attack, filterText } from './harness.js'

const greet = { http: { verb: 'get', path: '/greet' }, returns: { arg: 'said', type: 'string' } }
const script = 'export default Model => { Model.greet = async () => \'hello\' }'

tap.test('S-97: methods of an entry belong to its model alone', async t => {
  // Seen to fail: `GET /Children/greet` was 200, and 404 in LoopBack.
  const server = await attack(t, temporaryApp(t, {
    'server/models/note.json': { name: 'Note', properties: { text: 'string' }, methods: { hail: { ...greet, http: { verb: 'get', path: '/hail' } } } },
    'server/models/note.js': 'export default Note => { Note.greet = Note.hail = async () => \'hello\' }',
    'server/models/child.json': { name: 'Child', base: 'Note', plural: 'Children' },
    'server/model-config.json': {
      _meta: { sources: ['./models'] },
      Note: { dataSource: 'db', public: true, methods: { greet } },
      Child: { dataSource: 'db', public: true }
    }
  }), 'memory')
  t.equal((await server.send('GET', '/Notes/greet')).status, 200)
  t.equal((await server.send('GET', '/Children/greet')).status, 404)
  t.equal((await server.send('GET', '/Children/hail')).status, 200, 'methods of the definition are inherited')
  t.match(server.logged(), /Child do not have them/)
})

tap.test('S-97: sharedMethods opens what it names, or says that there is nothing', async t => {
  // Seen to fail: `destroyAll: true` stayed closed, and a misspelt name was told to nobody.
  const entry = (sharedMethods: object): object => ({ dataSource: 'db', public: true, options: { remoting: { sharedMethods } } })
  const server = await attack(t, temporaryApp(t, {
    'server/models/note.json': { name: 'Note', properties: { text: 'string' } },
    'server/models/note.js': script,
    'server/models/open.json': { name: 'Open', properties: { text: 'string' } },
    'server/model-config.json': {
      _meta: { sources: ['./models'] }, Note: entry({ destroyAl: true }), Open: entry({ '*': false, destroyAll: true })
    }
  }), 'memory')
  const { Note, Open } = server.models
  await Note?.create({ text: 'kept' })
  await Open?.create({ text: 'a' })
  await Open?.create({ text: 'b' })
  t.equal((await server.send('DELETE', '/Notes')).status, 404, 'closed unless it is named')
  t.equal(await Note?.count(), 1)
  t.equal((await server.send('GET', '/Opens')).status, 404)
  t.equal((await server.send('DELETE', '/Opens')).code, 'MISSING_WHERE', 'a condition is needed (S-24)')
  const gone = await server.send('DELETE', `/Opens?${filterText({ text: 'a' }, 'where')}`)
  t.strictSame(gone.body, { count: 1 })
  t.equal(await Open?.count(), 1)
  t.match(server.logged(), /names \\"destroyAl\\", which is no method of it.*destroyAll/)
})
