import handWritten from '../rest/hand-written.js'
import { generatedRequest } from '../../dialect.js'

/** @type {import('../index.js').Server} */
export default {
  ...handWritten,
  stores: ['sqlite', 'postgres', 'mariadb'],
  layout: 'existing',
  probe: '/api/Products/1',
  command (launch) {
    const { args, env } = handWritten.command(launch)
    return { args, env: { ...env, BENCH_PLUGINS: 'true', BENCH_DATES: 'integer' } }
  },
  request: generatedRequest
}
