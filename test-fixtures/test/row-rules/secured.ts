/** PostgreSQL with a role for callers, and what that role sees of a table. */
import { randomBytes } from 'node:crypto'
import { sqlConnector } from '@fastback/connector-sql'
import type { Stores } from '../agreement-stores.js'
import { execute, isReachable, makeScratch, servers } from '../../scratch.mjs'

export interface Secured extends Stores {
  readonly url: string
  readonly role: string
  readonly done: () => Promise<void>
}

/** A schema of its own, and a role that may nothing; undefined where there is no server. */
export async function securedStore (settings: object = {}): Promise<Secured | undefined> {
  if (!await isReachable('postgres')) return undefined
  const { url, remove } = await makeScratch('postgres')
  const role = `fastback_role_${process.pid}_${randomBytes(4).toString('hex')}`
  await execute(servers.postgres.url, `CREATE ROLE ${role} NOLOGIN`)
  return {
    main: { connector: sqlConnector, url, migrate: 'reset', rowSecurity: { role }, ...settings },
    url,
    role,
    async done () {
      await remove()
      await execute(servers.postgres.url, `DROP OWNED BY ${role}`, `DROP ROLE ${role}`)
    }
  }
}
