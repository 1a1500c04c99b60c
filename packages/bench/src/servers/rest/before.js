import { existsSync } from 'node:fs'
import fastback from './fastback.js'

/** Where `--against` has put another Fastback. */
export const beforeCli = () => process.env.BENCH_AGAINST ?? ''

/** Another Fastback, for `--against`. @type {import('../index.js').Server} */
export default {
  ...fastback,
  name: 'before',
  missing: () => existsSync(beforeCli()) ? undefined : 'wants --against',
  command: launch => {
    const { args: [, ...args], env } = fastback.command(launch)
    return { args: [beforeCli(), ...args], env }
  }
}
