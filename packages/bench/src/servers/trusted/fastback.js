import { trustedDialect } from '../../dialect.js'
import { TRUSTED_APP_FOLDER } from '../../paths.js'
import rest, { CLI, dataSourcesOf } from '../rest/fastback.js'

/** The tag of a row of which no request changes any: the same of all of them, since none was ever written. */
async function tagOf (url) {
  const response = await fetch(`${url}/api/Tagged/1`)
  await response.arrayBuffer()
  return response.headers.get('etag')
}

/** A folder whose models have the settings that the loads are about. @type {import('../index.js').Server} */
export default {
  ...rest,
  stores: ['sqlite', 'postgres'],
  dataSet: 'trusted',
  probe: '/api/Tagged/1',
  statuses: { t6: 304 },
  command: launch => ({
    args: [CLI, 'serve', TRUSTED_APP_FOLDER, '--port', String(launch.port)],
    env: { BENCH_TRUSTED: 'true', ...dataSourcesOf(launch, 'update') }
  }),
  async session (url) {
    const tag = await tagOf(url)
    if (tag === null) throw new Error('no ETag: the settings of the folder are not on')
    return { tag }
  },
  request: (load, params, context) => trustedDialect[load](params, context),
  normalise: (_, { version, ...row }) => row
}
