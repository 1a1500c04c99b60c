/** Positions in the log that standbys follow (PostgreSQL, "System Administration Functions"). */
import type { Connection, Replication } from '../driver.js'

async function positionOf (connection: Connection, expression: string): Promise<bigint | undefined> {
  const [row] = await connection.query(`SELECT ${expression}`, [])
  const text = row?.[0]
  if (typeof text !== 'string') return undefined
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const replication: Replication = {
  written: primary => positionOf(primary, 'pg_current_wal_insert_lsn()'),
  // Null outside of recovery: what follows by rows (logical replication) has positions of its own.
  replayed: replica => positionOf(replica, 'CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END')
}
