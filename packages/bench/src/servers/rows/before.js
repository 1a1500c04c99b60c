import before, { beforeCli } from '../rest/before.js'
import fastback from './fastback.js'

/** Another Fastback, for `--against`. @type {import('../index.js').Server} */
export default {
  ...fastback,
  name: 'before',
  missing: before.missing,
  command: launch => {
    const { args: [, ...args], env } = fastback.command(launch)
    return { args: [beforeCli(), ...args], env }
  }
}
