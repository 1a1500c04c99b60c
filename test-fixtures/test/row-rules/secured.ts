/** PostgreSQL with a role for callers, and what that role sees of a table. */
import { randomBytes } from 'node:crypto'
import { sqlConnector } from '@fastback/connector-sql'
import type { Stores } from '../agreement-stores.js'
import { execute, isReachable, makeScratch, servers } from '../../scratch.mjs'

type Loose = any

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

interface Asking { readonly id: number | undefined, readonly realm?: string | null, readonly roles: readonly string[] }

/** The ids that the role sees of a table when it says who asks, as a report would. */
export async function seenBy ({ url, role }: Secured, asking: Asking, table: string): Promise<number[]> {
  const settings = {
    'fastback.user_id': asking.id === undefined ? '' : String(asking.id),
    'fastback.roles': JSON.stringify(asking.roles),
    'fastback.user': JSON.stringify({ realm: asking.realm ?? null })
  }
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`)
  const connector = sqlConnector({ connector: 'sql', url, poolSize: 1 }, { dataSource: 'report', baseDir: '.', log }) as Loose
  await connector.connect()
  try {
    const transaction = await connector.transactions?.begin({})
    await connector.execute(`SELECT ${set.join(', ')}`, [], { transaction })
    await connector.execute(`SET LOCAL ROLE ${role}`, [], { transaction })
    const rows = await connector.execute(`SELECT id FROM "${table}" ORDER BY id`, [], { transaction })
    await connector.transactions?.rollback(transaction)
    return rows.map(({ id }: Loose) => Number(id))
  } finally {
    await connector.disconnect()
  }
}

const log = { warn () {}, info () {}, debug () {} }
