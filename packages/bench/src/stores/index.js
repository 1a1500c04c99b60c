import { sqlitePlace } from './sqlite.js'

/**
 * Where the data of one server is, filled with the whole data set.
 * @typedef {object} Place
 * @property {string} [file] of SQLite
 * @property {string} [url] of a database on a server
 * @property {() => Promise<void>} [settle] for when the server runs, which may have made indexes: new statistics
 * @property {() => Promise<void>} trim takes away what a load added, so that every measurement has a table of that size
 * @property {() => Promise<number[]>} processes of the database server, whose time is told beside the server's; none
 * where the data is in the server's own process
 * @property {() => Promise<void>} remove
 */

/** Where the database servers are unless `--url` says so. */
export const DEFAULT_URLS = {
  postgres: 'postgres://postgres@127.0.0.1:5432/postgres',
  mariadb: 'mysql://root@127.0.0.1:3306/mysql'
}

/** What each `--store` is called in a report. */
export const STORES = { sqlite: 'SQLite', memory: 'memory', postgres: 'PostgreSQL', mariadb: 'MariaDB' }

/**
 * Makes and fills a place for one server: a file, or a database of its own on the server that `url` names.
 * @param {import('../servers/index.js').Server} server
 * @param {string} name of the place
 * @param {{ store: string, url?: string }} options
 * @returns {Promise<Place | undefined>} undefined where the server keeps its data in its memory
 */
export async function makePlace (server, name, { store, url }) {
  if (store === 'postgres') return await (await import('./postgres.js')).postgresPlace(url ?? DEFAULT_URLS.postgres, server, name)
  if (store === 'mariadb') return await (await import('./mariadb.js')).mariadbPlace(url ?? DEFAULT_URLS.mariadb, name)
  return store === 'sqlite' || server.alwaysFile ? sqlitePlace(server, name) : undefined
}
