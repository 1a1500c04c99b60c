/** Schemas of a PostgreSQL database that one run has for itself. */
import { createRequire } from 'node:module'
import { checkout } from './checkout.js'

interface Client { connect (): Promise<void>, query (sql: string): Promise<unknown>, end (): Promise<void> }

/** Each made anew, or dropped. */
export async function schemas (url: string, names: readonly string[], what: 'make' | 'drop'): Promise<void> {
  // The driver that the connector uses.
  const { Client } = createRequire(`${checkout}packages/connector-sql/package.json`)('pg') as {
    Client: new (url: string) => Client
  }
  const client = new Client(url)
  await client.connect()
  try {
    for (const name of names) {
      await client.query(`DROP SCHEMA IF EXISTS "${name}" CASCADE`)
      if (what === 'make') await client.query(`CREATE SCHEMA "${name}"`)
    }
  } finally {
    await client.end()
  }
}
