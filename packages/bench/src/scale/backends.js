import { execFileSync } from 'node:child_process'

/** The processes of PostgreSQL that work for this database: their time is part of what a request costs. */
export function backendsOf (url) {
  const query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
  return execFileSync('psql', ['-qAt', url, '-c', query], { encoding: 'utf8' }).split('\n').filter(Boolean).map(Number)
}
