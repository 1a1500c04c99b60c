/**
 * @typedef {object} Launch
 * @property {number} port
 * @property {string} store
 * @property {string} file the SQLite file made for this server
 *
 * @typedef {object} Server
 * @property {string} name
 * @property {string[]} stores
 * @property {boolean} [alwaysFile] whether it keeps to SQLite whatever store is asked for
 * @property {'fastback' | 'loopback'} layout how the SQLite file is laid out (seed.js)
 * @property {string} [folder] for a peer: the folder that must be installed
 * @property {string} [note] what a reader of the figures should know
 * @property {string[]} [unanswered] loads whose answer has no body to compare
 * @property {() => string | undefined} missing why the server cannot be started, if so
 * @property {(file: string) => void} [prepareFile] what the file needs beyond the data
 * @property {(launch: Launch) => { args: string[], env?: Record<string, string>, cwd?: string }} command
 * @property {(url: string, launch: Launch) => Promise<{ token?: string }>} [session] how to come by a token
 * @property {(load: string, params: any, context: { token?: string }) => import('../dialect.js').WireRequest} request
 * @property {(load: string, answer: any) => any} [normalise]
 */

/** In the order of the columns. */
export const SERVER_NAMES = ['hand-written', 'fastback', 'loopback3', 'loopback4', 'feathers']

/** @returns {Promise<Server>} */
export async function loadServer (name) {
  if (!SERVER_NAMES.includes(name)) throw new Error(`no such server: ${name} (there are: ${SERVER_NAMES.join(', ')})`)
  return (await import(`./${name}.js`)).default
}
