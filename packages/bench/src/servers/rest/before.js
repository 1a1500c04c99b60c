import { existsSync } from 'node:fs'
import fastback from './fastback.js'

/** Where `--against` has put another Fastback. */
const beforeCli = () => process.env.BENCH_AGAINST ?? ''

/**
 * The server of another Fastback, for `--against`.
 * @param {import('../index.js').Server} server the one of this tree
 * @returns {import('../index.js').Server}
 */
export const before = server => ({
  ...server,
  name: 'before',
  missing: () => existsSync(beforeCli()) ? undefined : 'wants --against',
  command: launch => {
    const { args: [, ...args], env } = server.command(launch)
    return { args: [beforeCli(), ...args], env }
  }
})

export default before(fastback)
