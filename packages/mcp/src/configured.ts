/** What `component-config.json` of an application folder says of agents. */
import type { HostApplication } from '@fastback/core'
import type { McpOptions } from './options.js'

const kOptions = Symbol('fastback.mcpOptions')

interface Configured { options: McpOptions | undefined }

/** What component-config.json of an application says, until it is registered. */
export const configuredOf = ({ registry }: HostApplication): Configured =>
  registry.core.slot(kOptions, () => ({ options: undefined }))
