import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A path inside this package. */
export const inBench = path => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Of this process: two benches may run at once. */
export const DATA_FOLDER = inBench(`.data/${process.pid}`)
export const APP_FOLDER = inBench('app')
export const GENERATED_APP_FOLDER = inBench('generated-app')
export const QUERIES_APP_FOLDER = inBench('queries-app')
export const ROWS_APP_FOLDER = inBench('rows-app')
export const GRAPHQL_APP_FOLDER = inBench('graphql-app')
export const OAUTH2_APP_FOLDER = inBench('oauth2-app')
export const OPENID_APP_FOLDER = inBench('openid-app')
export const TRUSTED_APP_FOLDER = inBench('trusted-app')
export const PEERS_FOLDER = inBench('peers')

/** Why a peer cannot be started: its folder has no node_modules. */
export function notInstalled (peer) {
  return existsSync(inBench(`peers/${peer}/node_modules`)) ? undefined : 'not installed (npm run bench -- --install)'
}
