import t from 'tap'
import { Folder } from '../load/folder.js'
import { upgradeReport } from './report.js'
import { upgradeRules } from './rules.js'

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** A folder of version 2 that breaks every point. */
const broken = {
  'package.json': json({ dependencies: { loopback: '^2.22.0', 'loopback-datasource-juggler': '^2.39.0' } }),
  node_modules: { x: { 'a.js': 'loopback.compress()' } },
  server: {
    'config.json': json({
      restApiRoot: '/api/v1',
      remoting: { context: { enableHttpContext: true }, errorHandler: { disableStackTrace: true } }
    }),
    'middleware.json': json({
      initial: { 'loopback#compress': {}, 'loopback#favicon': {} }, 'final:after': { 'loopback#errorhandler': {} }
    }),
    'model-config.json': json({ Pet: { dataSource: 'db' } }),
    boot: {
      'all.js': `const loopback = require('loopback'), Pet = loopback.getModel('Pet'); module.exports = app => {
  // loopback.session is only spoken of here
  app.use(loopback.session())
  Pet.disableRemoteMethod('find', true)
  Pet.create({ id: 7 })
  const made = Pet.create({}, function () {})
  Pet.observe('loaded', ctx => ctx.instance)
  Pet.on('deleted', id => {})
  Pet.updateOrCreate([1, 2])
  app.models.Customer.find({ where: { credentials: 1 } })
  Pet.remoteMethod('near', { accepts: [{ type: 'object', http: { source: 'query' } }] })
  loopback.getCurrentContext()
  Pet.find().spread(pets => {})
  app.model('Made', { dataSource: 'db' })
}`
    }
  },
  common: {
    models: {
      'file.json': json({ name: 'File', replaceOnPUT: false }),
      'customer.json': json({ name: 'Customer', base: 'User', replaceOnPUT: false }),
      'pet.json': json({
        name: 'Pet',
        properties: { 'address.city': 'string' },
        mixins: { TimeStamp: true },
        methods: { greet: { isStatic: true } }
      })
    }
  }
}

t.test('a folder of version 2: each point with file and line', async t => {
  const report = upgradeReport(Folder.locate(t.testdir(broken))) as string
  const [head = '', ...lines] = report.split('\n')
  t.match(head, 'fastback upgrade DIR')
  t.match(head, /LoopBack 2 \(package.json: \^2\.22\.0\)\. 20 of the 20 points/)
  t.strictSame(lines.map(line => /UP-\d\d/.exec(line)?.[0]), upgradeRules.map(({ rule }) => rule))
  for (const [rule, places] of Object.entries({
    'UP-01': 'package.json:3, package.json:4',
    'UP-02': 'server/middleware.json:7, server/config.json:8, server/config.json:3',
    'UP-03': 'server/middleware.json:3, server/boot/all.js:3',
    'UP-04': 'common/models/pet.json:2',
    'UP-05': 'common/models/pet.json:7',
    'UP-06': 'common/models/pet.json:11, server/boot/all.js:4',
    'UP-07': 'common/models/pet.json:4',
    'UP-08': 'common/models/file.json:2',
    'UP-16': 'server/config.json:4, server/boot/all.js:12',
    'UP-18': 'server/config.json:3',
    'UP-19': 'server/config.json:2'
  })) t.equal(lines.find(line => line.includes(rule))?.split(': ').at(-1), places, rule)
})

t.test('other folders are told nothing, and many places are counted', async t => {
  for (const loopback of ['^3.0.0', '3.x', 'npm:@fastback/loopback@1', undefined]) {
    const dir = t.testdir({ ...broken, 'package.json': json({ dependencies: { loopback } }) })
    t.equal(upgradeReport(Folder.locate(dir)), undefined, String(loopback))
  }
  for (const loopback of ['2.x', '~2.0.0', '>=1.9']) {
    const dir = t.testdir({
      'package.json': json({ dependencies: { loopback } }),
      server: { 'config.json': '{}', 'a.js': 'app.models.A.updateOrCreate([1])\n'.repeat(7) }
    })
    t.match(upgradeReport(Folder.locate(dir)), /UP-13.*a\.js:1, .*a\.js:5 and 2 more/, loopback)
  }
})
