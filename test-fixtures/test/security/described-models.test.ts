/** Models that strangers describe, and those of the framework: S-196. */
import tap from 'tap'
import { namesOfFramework } from '../../../packages/cli/src/model-files/index.js'
import { importApi } from '../../../packages/cli/src/import-api.js'
import { importService } from '../../../packages/cli/src/import-service.js'
import { temporaryApp } from './folders.js'

const response = { responses: { 200: { description: 'ok' } } }

const description = (names: Iterable<string>): object => ({
  openapi: '3.1.0',
  info: { title: 'Zoo', version: '1' },
  paths: Object.fromEntries([...names].map(name =>
    [`/${name.toLowerCase()}/all`, { get: { tags: [name], operationId: `all${name}`, ...response } }])),
  components: {
    schemas: Object.fromEntries([...names].map(name =>
      [name, { type: 'object', properties: { permission: { type: 'string' }, pet: { $ref: '#/components/schemas/User' } } }]))
  }
})

tap.test('S-196 no description of an API replaces a model of the framework', async t => {
  // Seen to fail: freeName of cli/import-api that gives the name back: acl.json was written
  const folder = temporaryApp(t, { 'zoo.json': description(namesOfFramework) })
  const { changes, models, methods, notes = [] } = await importApi(folder, { source: `${folder}zoo.json`, acl: 'open' })
  t.same(models.filter(name => namesOfFramework.has(name)), [])
  for (const name of ['ACL', 'User', 'AccessToken', 'PersistedModel', 'OAuthAccessToken', 'RoleMapping']) {
    t.ok(models.includes(`${name}Record`), name)
    t.ok(methods.includes(`${name}Record.all${name}`), `the operations of ${name}`)
    t.match(notes.join('\n'), `"${name}" is a model of the framework`)
  }
  const written = JSON.stringify(changes.changes.map(({ file }) => file))
  t.notMatch(written, /\/(?:acl|user|role|persisted-model)\.json/)
  const config = changes.readJson('server/model-config.json') as object
  t.same(Object.keys(config).filter(name => namesOfFramework.has(name)), [])
  t.match(changes.readJson('server/models/acl-record.json') ?? changes.readJson('common/models/acl-record.json'), {
    name: 'ACLRecord', properties: { pet: { type: 'UserRecord' } }
  }, 'and refers to the others of the description')
})

tap.test('S-196 nor does the model of a service', async t => {
  // Seen to fail: freeName of cli/import-service that gives the name back
  const folder = temporaryApp(t, { 'zoo.json': description(['ACL', 'User', 'Pet']) })
  const { models } = await importService(folder, { source: `${folder}zoo.json`, service: 'zoo' })
  t.same(models, ['ACLRecord', 'UserRecord', 'Pet'])
})

tap.test('S-196 a model of the folder itself keeps its name', async t => {
  // Seen to fail: freeName of cli/import-api without a look at the folder's models: it was `UserRecord`
  const folder = temporaryApp(t, {
    'zoo.json': description(['User']),
    'server/models/user.json': { name: 'User', base: 'PersistedModel', properties: {} }
  })
  const { models, warnings = [] } = await importApi(folder, { source: `${folder}zoo.json` })
  t.same(models, ['User'])
  t.match(warnings.join('\n'), 'is there already')
})
