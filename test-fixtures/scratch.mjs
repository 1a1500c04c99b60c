// Scratch databases on the servers that tests use: those that FASTBACK_TEST_POSTGRES and FASTBACK_TEST_MYSQL name, else
// the usual places on this machine.
import { randomBytes } from 'node:crypto'
import { sqlConnector } from '@fastback/connector-sql'

const log = { warn () {}, info () {}, debug () {} }

export const servers = {
  postgres: { variable: 'FASTBACK_TEST_POSTGRES', url: process.env.FASTBACK_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test' },
  mysql: { variable: 'FASTBACK_TEST_MYSQL', url: process.env.FASTBACK_TEST_MYSQL ?? 'mysql://root@127.0.0.1:3306/test' }
}

export async function execute (url, ...statements) {
  const connector = sqlConnector({ connector: 'sql', url, poolSize: 1, connectionTimeout: 30_000, statementTimeout: 0 }, { dataSource: 'scratch', baseDir: '.', log })
  await connector.connect()
  try {
    let rows = []
    for (const statement of statements) rows = await connector.execute(statement)
    return rows
  } finally {
    await connector.disconnect()
  }
}

function isLeftOut (name) {
  const { FASTBACK_TEST_FULL: isFull, FASTBACK_TESTS: areNamed, FASTBACK_TEST_MYSQL: isNamed } = process.env
  return name === 'mysql' && isFull === undefined && areNamed === undefined && isNamed === undefined
}

/**
 * Whether a server answers. MariaDB is left to continuous integration, and to those who name it or the tests: SQLite
 * and PostgreSQL show most faults, and `npm test` is not to take long.
 */
export async function isReachable (name) {
  const { url, variable } = servers[name]
  if (isLeftOut(name)) return false
  try {
    await execute(url, 'SELECT 1')
    return true
  } catch (error) {
    if (process.env[variable] !== undefined) throw error
    return false
  }
}

/**
 * For tests that prove of the code what one server shows: without FASTBACK_TEST_FULL on PostgreSQL alone.
 * @returns why a test is left out; false where it runs
 */
export async function whyLeftOut (name) {
  if (isLeftOut(name)) return 'with FASTBACK_TEST_FULL'
  return await isReachable(name) ? false : 'no server answers'
}

export async function makeScratch (name) {
  const { url } = servers[name]
  const own = `fastback_test_${process.pid}_${randomBytes(4).toString('hex')}`
  const inside = new URL(url)
  // Making a schema is a hundred times as fast as making a database of PostgreSQL.
  if (name === 'postgres') {
    await execute(url, `CREATE SCHEMA ${own}`)
    inside.searchParams.set('schema', own)
    return { url: inside.href, name: own, remove: async () => { await execute(url, `DROP SCHEMA IF EXISTS ${own} CASCADE`) } }
  }
  await execute(url, `CREATE DATABASE ${own}`)
  inside.pathname = `/${own}`
  return { url: inside.href, name: own, remove: async () => { await execute(url, `DROP DATABASE IF EXISTS ${own}`) } }
}
