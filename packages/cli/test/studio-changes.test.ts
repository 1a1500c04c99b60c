/** Changes of definitions from the studio of a folder that `fastback serve` serves. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { address, start } from './child.js'

interface Received { readonly status: number, readonly body: any }

const folder = (t: Test): string => t.testdir({
  'package.json': '{ "name": "shop", "type": "module" }',
  common: {
    models: {
      'note.json': JSON.stringify({ name: 'Note', base: 'PersistedModel', properties: { title: { type: 'string' } } }, null, 2) + '\n'
    }
  },
  server: {
    'config.json': '{ "restApiRoot": "/api" }',
    'datasources.json': '{ "db": { "connector": "memory" } }',
    'model-config.json': JSON.stringify({ Note: { dataSource: 'db', public: true } }, null, 2) + '\n',
    'component-config.json': '{ "@fastback/studio": { "home": true } }'
  }
})

async function serving (t: Test, dir: string): Promise<(path: string, body?: object) => Promise<Received>> {
  const server = start(t, ['serve', dir, '--port', '0'], { env: { NODE_ENV: 'development' } })
  const url = await address(server)
  return async (path, body) => {
    const response = await fetch(`${url}${path}`, body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    return { status: response.status, body: await response.json() }
  }
}

const dir = folder(t)
const ask = await serving(t, dir)

t.test('a property, a relation and a model: the diff first, then the files, and back', async t => {
  const read = (file: string): string => readFileSync(path.join(dir, file), 'utf8')
  const [definition, config] = [read('common/models/note.json'), read('server/model-config.json')]
  t.match((await ask('/studio/ui.json')).body, { development: true, changes: true })
  const change = { kind: 'property', model: 'Note', name: 'stars', type: 'number', default: '5', required: true }
  const { status, body } = await ask('/studio/models/propose', change)
  t.equal(status, 200)
  t.match(body.files, [{ file: 'common/models/note.json', isNew: false, diff: /^\+ {4}"stars": \{$/m }])
  t.equal(read('common/models/note.json'), definition, 'nothing is written yet')
  t.match((await ask('/studio/models/apply', { token: body.token })).body, { files: ['common/models/note.json'], restart: 'manual' })
  t.match(JSON.parse(read('common/models/note.json')).properties, { stars: { type: 'number', default: 5, required: true } })
  t.equal((await ask('/studio/models/apply', { token: body.token })).status, 404, 'once')

  const model = await ask('/studio/models/propose', {
    kind: 'model', name: 'CoffeeShop', dataSource: 'db', properties: [{ name: 'name', type: 'string', required: true }]
  })
  t.ok(model.body.files.some(({ file, isNew }: any) => isNew === true && file === 'common/models/coffee-shop.json'))
  t.notOk(existsSync(path.join(dir, 'common/models/coffee-shop.json')))
  const relation = await ask('/studio/models/propose', { kind: 'relation', model: 'Note', type: 'hasMany', to: 'Note', name: 'replies' })
  t.match(relation.body.files, [{ diff: /"replies"/ }])
  t.same((await ask('/studio/models/undo', {})).body, { files: ['common/models/note.json'], restart: 'manual' })
  t.same([read('common/models/note.json'), read('server/model-config.json')], [definition, config])
  t.match(await ask('/studio/models/undo', {}), { status: 409, body: { error: { code: 'FBK_CLI_NOTHING_TO_UNDO' } } })
  t.same(readdirSync(path.join(dir, '.fastback')).sort(), ['.gitignore', 'undo'], 'copies that were tried are gone')
})

t.test('what cannot be is refused, and nothing is written', async t => {
  const definition = readFileSync(path.join(dir, 'common/models/note.json'), 'utf8')
  for (const change of [
    { kind: 'model', name: '../../outside' }, { kind: 'model', name: '/etc/passwd' }, { kind: 'model', name: '__proto__' },
    { kind: 'model', name: 'a\u0000b' }, { kind: 'model', name: 'Tea', base: '../base' }, { kind: 'model', name: 'Tea', plural: '../x' },
    { kind: 'model', name: 'Tea', dataSource: 'nowhere' }, { kind: 'model', name: 'Note', properties: [{ name: 'x', type: 'string' }] },
    { kind: 'model', name: 'Tea', properties: [{ name: 'constructor', type: 'string' }] },
    { kind: 'property', model: '../note', name: 'x', type: 'string' }, { kind: 'property', model: 'Tea', name: 'x', type: 'string' },
    { kind: 'property', model: 'Note', name: '__proto__', type: 'string' }, { kind: 'property', model: 'Note', name: 'x', type: 'a b' },
    { kind: 'property', model: 'Note', name: 'title', type: 'number' },
    { kind: 'property', model: 'Note', name: 'x', type: 'number', default: 'many' },
    { kind: 'relation', model: 'Note', type: 'belongsTo', to: '../User' }, { kind: 'relation', model: 'Note', type: 'belongsTo', to: 'User', name: 'a/b' },
    { kind: 'relation', model: 'Note', type: 'hasOne', to: 'User', through: 'Tea' }
  ]) {
    const { status, body } = await ask('/studio/models/propose', change)
    t.equal(status, 422, JSON.stringify(change))
    t.notMatch(JSON.stringify(body), dir, 'no address of the machine')
  }
  const broken = await ask('/studio/models/propose', { kind: 'model', name: 'Tea', base: 'NoSuchModel' })
  t.match(await ask('/studio/models/apply', { token: broken.body.token }), {
    status: 409, body: { error: { code: 'FBK_CLI_WRITTEN_BROKEN', message: /NoSuchModel/ } }
  })
  t.equal(readFileSync(path.join(dir, 'common/models/note.json'), 'utf8'), definition)
  t.same(readdirSync(path.join(dir, 'common/models')), ['note.json'])
  const { status, body } = await ask('/studio/models/propose', { kind: 'property', model: 'Note', name: 'title', type: 'number', replace: true })
  t.match({ status, files: body.files }, { status: 200, files: [{ isNew: false }] })
})
