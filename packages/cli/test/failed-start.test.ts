/** A start that fails says where, and ends the process: connections that are open do not keep it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'

const bin = fileURLToPath(new URL('../../../.ci/fastback.mjs', import.meta.url))

t.test('a name that PostgreSQL keeps for itself', async t => {
  if (!await isReachable('postgres')) return t.comment('no postgres server')
  const { url, remove } = await makeScratch('postgres')
  t.teardown(remove)
  const dir = t.testdir({
    'package.json': '{ "name": "thing" }',
    server: {
      'config.json': '{}',
      'datasources.json': JSON.stringify({ db: { connector: 'sql', url, migrate: 'update' } }),
      'model-config.json': '{ "_meta": { "sources": ["../common/models"] }, "Thing": { "dataSource": "db" } }'
    },
    common: { models: { 'thing.json': '{ "name": "Thing", "base": "PersistedModel", "properties": { "xmin": "string" } }' } }
  })
  const child = spawn(process.execPath, [bin, 'serve', dir, '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = 0
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said ||= Date.now()
    errors += text
  })
  const [code] = await once(child, 'exit') as [number]
  t.equal(code, 1)
  t.match(errors, 'error FBK_SQL_IDENTIFIER: The name "xmin" (model "Thing", property "xmin") cannot be used')
  // The pool lets go after 30 seconds.
  t.ok(Date.now() - said < 15_000, 'it ended at once')
})
