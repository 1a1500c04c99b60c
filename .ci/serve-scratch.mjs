// Serves an application on an empty schema (PostgreSQL) or database (MySQL) of its own: node .ci/serve-scratch.mjs
// serve APP --port PORT
// FASTBACK_SCRATCH is a scratch to name it after (test-fixtures/scratch.mjs); who set it removes what was made.
import { execute } from '../test-fixtures/scratch.mjs'

const port = process.argv[process.argv.indexOf('--port') + 1]
const { url, name } = JSON.parse(process.env.FASTBACK_SCRATCH)
const own = `${name}_${port}`
const isPostgres = url.startsWith('postgres')
await execute(
  url,
  isPostgres ? `DROP SCHEMA IF EXISTS ${own} CASCADE` : `DROP DATABASE IF EXISTS ${own}`,
  `CREATE ${isPostgres ? 'SCHEMA' : 'DATABASE'} ${own}`
)
process.env.FASTBACK_DATASOURCES = JSON.stringify({
  db: { connector: 'sql', url, ...(isPostgres ? { schema: own } : { database: own }), migrate: 'reset', poolSize: 4 }
})
await import('../packages/cli/bin/fastback.js')
