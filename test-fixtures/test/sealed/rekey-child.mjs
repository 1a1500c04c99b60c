/** Seals anew until it is killed. */
import { sqlConnector } from '@fastback/connector-sql'
import { core, ModelRegistry } from '@fastback/core'
import { resealRows } from '@fastback/core/remote'
import Fastify from 'fastify'

const { url, settings, account } = JSON.parse(process.env.REKEY)
const registry = new ModelRegistry()
registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none', sealing: settings })
const Account = registry.defineModel({ strict: true, ...account })
registry.attach('Account', 'db')
const app = Fastify()
await app.register(core, { registry })
await app.ready()
await resealRows(Account, { pageSize: 20, onPage: rows => { if (rows === 200) process.send?.('begun') } })
