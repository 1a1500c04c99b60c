/** What a stopped application leaves behind in its process: nothing, at once. */
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { createServer } from '../src/index.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

t.test('a stopped application is let go, and does not wait for the end of its time limits', async t => {
  const dir = t.testdir({
    server: {
      'config.json': JSON.stringify({ host: '127.0.0.1', port: 0 }),
      'datasources.json': JSON.stringify({ db: { connector: 'memory' } }),
      'model-config.json': JSON.stringify({ User: { dataSource: 'db', public: true } })
    }
  })
  const served = async (): Promise<WeakRef<object>> => {
    const { app, start, stop } = await createServer(dir, { log: false })
    t.equal((await fetch(`${await start()}/api/Users/count`)).status, 200)
    await stop()
    return new WeakRef(app)
  }
  const app = await served()
  // The client's side of the connection ends a little later.
  for (let round = 0; round < 50 && app.deref() !== undefined; round++) {
    await turn()
    collect()
  }
  t.equal(app.deref(), undefined)
})
