/**
 * What is done with rows of pg-boss's table that its functions do not do: waits in milliseconds, leases that are
 * renewed, jobs that are given back, and lists. An attempt is known by `retry_count`: a process that has lost its job
 * changes nothing any more.
 */
export interface BossStatements {
  readonly uniqueKeys: string
  readonly renew: string
  readonly complete: string
  readonly remove: string
  readonly fail: string
  readonly retryLater: string
  readonly giveBack: string
  readonly counts: string
  readonly failed: string
  readonly retry: string
  readonly discard: string
  readonly removeScheduled: string
  readonly scheduled: string
}

/** @param schema a name that needs no quotes */
export function bossStatements (schema: string): BossStatements {
  const job = `${schema}.job`
  const mine = 'WHERE name = $1 AND id = $2::uuid AND retry_count = $3 AND state = \'active\''
  const failedOne = 'WHERE name = $1 AND id = $2::uuid AND state = \'failed\' RETURNING id'
  const waiting = 'name = $1 AND state < \'active\''
  return {
    uniqueKeys: `CREATE UNIQUE INDEX IF NOT EXISTS fastback_unique_keys ON ${job} (name, singleton_key)
      WHERE state < 'completed' AND singleton_key IS NOT NULL`,
    renew: `UPDATE ${job} SET started_on = now() ${mine} RETURNING id`,
    complete: `UPDATE ${job} SET state = 'completed', completed_on = now() ${mine}`,
    remove: `DELETE FROM ${job} ${mine}`,
    fail: `UPDATE ${job} SET state = 'failed', completed_on = now(), output = $4::jsonb ${mine}`,
    retryLater: `UPDATE ${job} SET state = 'retry', output = $4::jsonb,
      start_after = now() + $5::float8 * interval '1 ms' ${mine}`,
    giveBack: `UPDATE ${job} SET state = 'created', retry_count = greatest(retry_count - 1, 0),
      started_on = CASE WHEN retry_count = 0 THEN NULL ELSE started_on END ${mine}`,
    counts: `SELECT CASE WHEN state >= 'active' THEN state::text WHEN start_after > now() THEN 'delayed' ELSE 'waiting' END
      AS state, count(*)::int AS count FROM ${job} WHERE name = $1 GROUP BY 1`,
    failed: `SELECT id, data, retry_count, completed_on, output FROM ${job} WHERE name = $1 AND state = 'failed'
      ORDER BY completed_on DESC, id DESC LIMIT $2`,
    retry: `UPDATE ${job} SET state = 'created', retry_count = 0, started_on = NULL, completed_on = NULL, output = NULL,
      start_after = now(), singleton_key = NULL ${failedOne}`,
    discard: `DELETE FROM ${job} ${failedOne}`,
    removeScheduled: `DELETE FROM ${job} WHERE ${waiting} AND data ? 'schedule' AND id IS DISTINCT FROM $2::uuid`,
    scheduled: `SELECT data, start_after FROM ${job} WHERE ${waiting} AND retry_count = 0 AND data ? 'schedule'
      ORDER BY start_after LIMIT 1`
  }
}
