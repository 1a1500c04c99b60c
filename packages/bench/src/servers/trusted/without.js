import fastback from './fastback.js'

/** The same folder without the settings, asked without the headers. @type {import('../index.js').Server} */
export default {
  ...fastback,
  name: 'without',
  statuses: {},
  command: launch => {
    const { args, env } = fastback.command(launch)
    return { args, env: { ...env, BENCH_TRUSTED: 'false' } }
  },
  session: async () => ({}),
  request (load, params, context) {
    const { headers, ...request } = fastback.request(load, params, context)
    return request
  }
}
