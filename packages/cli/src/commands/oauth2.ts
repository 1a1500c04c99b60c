import path from 'node:path'
import { defineCommand } from 'citty'
import { applicationOption, dataFolder, debug, environment, json, setDataFolder } from '../common-options.js'
import { UsageError } from '../errors.js'
import { rotateKeys } from '../rotate-keys.js'
import type { Terminal } from '../terminal.js'

export const oauth2Command = defineCommand({
  meta: { name: 'oauth2', description: 'Rotate the keys that an OpenID Connect provider signs with: oauth2 rotate-keys APP' },
  args: {
    action: { type: 'positional', description: 'rotate-keys', required: true },
    app: { type: 'positional', description: 'The application folder, or a module. Default: that of --dir', required: false },
    ...applicationOption,
    revoke: { type: 'string', description: 'Id of a key that is taken out of the published set', valueHint: 'kid' },
    ...dataFolder,
    ...environment,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    if (args.action !== 'rotate-keys') {
      throw new UsageError(`There is no "oauth2 ${args.action}". Call "fastback oauth2 rotate-keys".`)
    }
    setDataFolder(args.data, terminal)
    const source = path.resolve(terminal.cwd, args.app ?? args.dir)
    const { current, revoked } = await rotateKeys(source, { env: args.env, revoke: args.revoke })
    terminal.print(args.json === true
      ? JSON.stringify({ current, revoked }, null, 2)
      : [
          ...current.map(kid => `${kid} signs from now on`),
          ...revoked === undefined ? [] : [`${revoked} is revoked: tokens that it signed are worth nothing`]
        ].join('\n'))
  }
})
