/**
 * @typedef {object} Launch
 * @property {number} port
 * @property {string} store
 * @property {string} [file] the SQLite file made for this server
 * @property {string} [url] the database made for this server, where that is on a database server
 * @property {string} [node] the Node that runs it; undefined: the one that runs the bench
 * @property {string} [driver] the SQLite driver, where it is not the one that Node's version chooses
 * @property {number} [workers] processes that share the port; undefined: one, without a cluster
 * @property {Record<string, string>} [env] what else is in its environment
 *
 * @typedef {object} Context what requests have of the server that they go to
 * @property {string} [token]
 * @property {string[]} [cursors] of pages behind position 50,000
 * @property {string} [tag] of a row as it is
 * @property {string[]} [supply] what requests use up, one each
 *
 * @typedef {object} Server
 * @property {string} name
 * @property {string[]} stores
 * @property {boolean} [alwaysFile] whether it keeps to SQLite whatever store is asked for
 * @property {boolean} [drivers] whether it takes the driver that `--driver` says
 * @property {'fastback' | 'declared' | 'existing' | 'loopback'} layout how the SQLite file is laid out (seed.js)
 * @property {string} [folder] for a peer: the folder that must be installed
 * @property {string} [note] what a reader of the figures should know
 * @property {string[]} [unanswered] loads whose answer has no body to compare
 * @property {Record<string, number>} [statuses] by load, the status of a good answer that is not 2xx and has no body
 * @property {string} [probe] path that answers when the server is up; default: that of w1
 * @property {(options: { nodeVersion: string }) => string | undefined} missing why the server cannot be started, if so
 * @property {'articles' | 'tasks' | 'trusted'} [dataSet] what its tables hold; default: products, categories, reviews
 * @property {string[]} [prepareDatabase] statements for what a database needs beyond the data
 * @property {(file: string) => void} [prepareFile] what the file needs beyond the data
 * @property {(launch: Launch) => { args: string[], env?: Record<string, string>, cwd?: string }} command
 * @property {(url: string, launch: Launch & { supply: number }) => Promise<Context>} [session] how to come by a token,
 * by cursors, and by so many things that requests use up
 * @property {(load: string, params: any, context: Context) => import('../dialect.js').WireRequest} request
 * @property {(load: string, answer: any) => any} [normalise]
 */

/**
 * @typedef {object} Suite
 * @property {string} title
 * @property {string[]} servers in the order of the columns: the first one is what the others are compared with
 * @property {Record<string, string>} [without] why other servers are not in it
 * @property {string[]} [stores] where its data can be: the first of them where `--store` says something else
 */

const QUERIES_WITHOUT = {
  loopback3: 'no conditions on related rows, aggregates, search or cursors',
  loopback4: 'no conditions on related rows, aggregates, search or cursors',
  feathers: 'no conditions on related rows, aggregates, search or cursors',
  platformatic: 'no aggregates, search or cursors with an order'
}

const ROWS_WITHOUT = 'no such folder: their rules would be code of the benchmark\'s own'

const GRAPHQL_WITHOUT = 'no GraphQL of its own'

const TRUSTED_WITHOUT = 'compared are the settings of Fastback, with each other'

/** Loads that the same servers answer run together. @type {Record<import('../loads.js').Load['suite'], Suite>} */
export const SUITES = {
  rest: { title: 'REST', servers: ['before', 'hand-written', 'fastback', 'loopback3', 'loopback4', 'feathers', 'platformatic'] },
  generated: {
    title: 'A generated folder over existing tables', servers: ['before', 'hand-written', 'fastback'],
    stores: ['sqlite', 'postgres', 'mariadb']
  },
  queries: {
    title: 'Related rows, aggregates, search, cursors', servers: ['before', 'hand-written', 'fastback'],
    stores: ['sqlite', 'postgres'], without: QUERIES_WITHOUT
  },
  rows: {
    title: 'Rows of the caller', servers: ['before', 'hand-written', 'fastback'], stores: ['sqlite', 'postgres'],
    without: { loopback3: ROWS_WITHOUT, loopback4: ROWS_WITHOUT, feathers: ROWS_WITHOUT, platformatic: ROWS_WITHOUT }
  },
  graphql: {
    title: 'GraphQL, beside Mercurius by hand', servers: ['before', 'hand-written', 'fastback', 'platformatic'],
    stores: ['sqlite'],
    without: { loopback3: GRAPHQL_WITHOUT, loopback4: GRAPHQL_WITHOUT, feathers: GRAPHQL_WITHOUT }
  },
  trusted: {
    title: 'Writes that can be trusted, beside the same without the setting', servers: ['before', 'without', 'fastback'],
    stores: ['sqlite', 'postgres'],
    without: Object.fromEntries(['hand-written', ...Object.keys(QUERIES_WITHOUT)].map(name => [name, TRUSTED_WITHOUT]))
  },
  oauth2: { title: 'OAuth 2.0', servers: ['oidc-provider', 'fastback'], stores: ['memory'] },
  openid: { title: 'OpenID Connect', servers: ['before', 'oidc-provider', 'fastback'], stores: ['memory'] },
  files: { title: 'Files', servers: ['hand-written', 'fastback'], stores: ['memory'] },
  services: { title: 'Services', servers: ['hand-written', 'fastback', 'loopback3'], stores: ['memory'] }
}

/**
 * @param {keyof SUITES} suite
 * @param {string} name
 * @returns {Promise<Server>}
 */
export async function loadServer (suite, name) {
  const { servers } = SUITES[suite]
  if (!servers.includes(name)) throw new Error(`no such server: ${name} (there are: ${servers.join(', ')})`)
  return (await import(`./${suite}/${name}.js`)).default
}

/**
 * Whether a server's response to a load is the one that is wanted.
 * @param {Server} server
 * @param {string} load
 * @param {number} status
 */
export function isGood ({ statuses }, load, status) {
  const wanted = statuses?.[load]
  return wanted === undefined ? status >= 200 && status <= 299 : status === wanted
}
