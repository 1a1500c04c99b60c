import { readFileSync } from 'node:fs'
import mysql from 'mysql2/promise'
import { COUNTS } from '../data.js'
import { BATCH, INDEXES, databaseName, tables, withDatabase } from './tables.js'

const TYPES = {
  key: 'INT AUTO_INCREMENT PRIMARY KEY', token: 'VARCHAR(64) PRIMARY KEY', whole: 'INT', double: 'DOUBLE',
  boolean: 'TINYINT(1)', moment: 'DATETIME(3)', text: 'VARCHAR(255)'
}

const quoted = name => `\`${name}\``

/** Connected, with a fault that says which server was meant and nothing of its password. */
async function connect (url) {
  try {
    return await mysql.createConnection({ uri: url, timezone: 'Z' })
  } catch (error) {
    throw new Error(`MariaDB at ${new URL(url).host}: ${error.message || error.code}`)
  }
}

/** A database of its own for one server, made anew. @returns {Promise<import('./index.js').Place>} */
export async function mariadbPlace (adminUrl, name) {
  const database = databaseName(name)
  const client = await connect(adminUrl)
  await client.query(`DROP DATABASE IF EXISTS ${quoted(database)}`)
  await client.query(`CREATE DATABASE ${quoted(database)} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
  await client.query(`USE ${quoted(database)}`)
  const made = tables()
  for (const table of made) await fill(client, table)
  await client.query(`ANALYZE TABLE ${made.map(table => quoted(table.name)).join(', ')}`)
  const pid = await serverProcess(client)
  return {
    url: withDatabase(adminUrl, database),
    trim: async () => { await client.query('DELETE FROM `Product` WHERE `id` > ?', [COUNTS.products]) },
    processes: async () => pid === undefined ? [] : [pid],
    async remove () {
      await client.query(`DROP DATABASE IF EXISTS ${quoted(database)}`)
      await client.end()
    }
  }
}

/** The process of the server, all of whose threads work for everybody; undefined when it is not on this machine. */
async function serverProcess (client) {
  const [[{ file }]] = await client.query('SELECT @@pid_file AS file')
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function fill (client, { name, columns, rows }) {
  const definition = columns.map(([column, kind]) => `${quoted(column)} ${TYPES[kind]}`)
  await client.query(`CREATE TABLE ${quoted(name)} (${definition.join(', ')})`)
  const names = columns.map(([column]) => quoted(column))
  for (let from = 0; from < rows.length; from += BATCH) {
    await client.query(`INSERT INTO ${quoted(name)} (${names.join(', ')}) VALUES ?`, [rows.slice(from, from + BATCH)])
  }
  if (INDEXES[name]) await client.query(`CREATE INDEX bench ON ${quoted(name)} (${INDEXES[name].map(quoted).join(', ')})`)
}
