// One of several processes that send what stands in a database: `node process.js '<settings>'`. Told `{ query }`, it
// puts a notification into the database; without an end of its own it works until it is killed, and says what memory it
// has had at most.
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { pushConnector } from '@fastback/push'

const { db, push } = JSON.parse(process.argv[2])
const registry = new ModelRegistry()
registry.defineDataSource('db', { connector: sqlConnector, ...db })
registry.defineModel({ name: 'Application', properties: { id: { type: 'string', id: true }, pushSettings: 'object' } })
registry.attach('Application', 'db')
registry.defineDataSource('push', { connector: pushConnector, secret: false, persist: true, ...push })
registry.defineModel({ name: 'Push', plural: 'push', base: 'Model' })
registry.attach('Push', 'push')
await registry.start()

let most = 0
setInterval(() => {
  const now = process.memoryUsage.rss()
  if (now < most * 1.02) return
  most = now
  process.send({ most })
}, 100)
process.on('message', async ({ query, notification }) => {
  await registry.models.Push.notifyByQuery(query, notification)
  process.send({ stored: true })
})
process.on('disconnect', () => { process.exit() })
process.send({ ready: true })
