/**
 * The guide of LoopBack's names: each that is code is there in a running application.
 * Seen to fail: with `ds.operation`, which the guide then named and nobody has.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import t from 'tap'

// The application asks as one of LoopBack does: by require, of the package that stands for it.
const require = createRequire(new URL('../../loopback/package.json', import.meta.url))
const guide = readFileSync(new URL('../guides/loopback3-names.md', import.meta.url), 'utf8')
const listed = Array.from(guide.matchAll(/^\| `([^`]+)` \|/gm), ([, name]) => name as string)

t.test('names of LoopBack 3 are there', async t => {
  const loopback = require('@fastback/loopback')
  const app = loopback({ localRegistry: true })
  const ds = app.dataSource('db', { connector: 'memory' })
  const Model = app.registry.createModel('Thing', { name: 'string' })
  app.model(Model, { dataSource: 'db' })
  const builtIn = ['User', 'AccessToken', 'Role', 'RoleMapping', 'ACL']
  for (const name of builtIn) app.model(app.registry.getModel(name), { dataSource: 'db' })

  const owners: Record<string, object> = {
    loopback, app, ds, Model, instance: new Model({ name: 'x' }),
    ...Object.fromEntries(builtIn.map(name => [name, app.models[name]]))
  }
  const inCode = listed.map(name => name.split('.')).filter(([owner, member]) => owner! in owners && member !== undefined)
  t.ok(listed.length >= 200, `${listed.length} names`)
  t.ok(inCode.length >= 180, `${inCode.length} of code`)
  t.strictSame(inCode.filter(([owner, member]) => !(member! in owners[owner!]!)).map(parts => parts.join('.')), [])
})
