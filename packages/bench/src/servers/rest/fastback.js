import { existsSync } from 'node:fs'
import { loopbackDialect } from '../../dialect.js'
import { APP_FOLDER, inBench } from '../../paths.js'
import { fillByPost, logIn } from '../../rest-session.js'

export const CLI = inBench('../cli/bin/fastback.js')
const BUILT = inBench('../cli/bundle/bin.js')

/**
 * The environment that puts the data source `db` of a folder on the data of a launch, beside `others`. A driver that
 * Fastback would not take by itself is handed in by the folder (datasources.local.js).
 * @param {import('../index.js').Launch} launch
 * @param {string} migrate
 * @param {object} [others]
 */
export function dataSourcesOf ({ store, file, url, driver }, migrate, others) {
  if (driver !== undefined) {
    return { BENCH_HAND_IN: driver, BENCH_FILE: file, FASTBACK_DATASOURCES: JSON.stringify({ ...others }) }
  }
  const db = store === 'memory'
    ? { connector: 'memory' }
    : { connector: 'sql', url: url ?? `sqlite:${file}`, migrate }
  return { FASTBACK_DATASOURCES: JSON.stringify({ db, ...others }) }
}

const workersOf = ({ workers }) => workers === undefined ? [] : ['--workers', String(workers)]

/** @type {import('../index.js').Server} */
export default {
  name: 'fastback',
  stores: ['sqlite', 'memory', 'postgres', 'mariadb'],
  drivers: true,
  layout: 'fastback',
  missing: () => existsSync(BUILT) ? undefined : 'not built (npm run setup && npm run build)',
  command: launch => ({
    args: [CLI, 'serve', APP_FOLDER, '--port', String(launch.port), ...workersOf(launch)],
    env: { BENCH_AUTH: 'true', ...dataSourcesOf(launch, 'update') }
  }),
  async session (url, { store, needsToken }) {
    const token = needsToken || store === 'memory' ? await logIn(url) : undefined
    if (store === 'memory') await fillByPost(url, token)
    return { token }
  },
  request: (load, params, context) => loopbackDialect[load](params, context)
}
