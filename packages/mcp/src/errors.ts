/** Errors of a wrong set-up: thrown while the plugin is registered, or when the server starts. */
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('MCP')

/** An invalid option; the message names it. */
export const InvalidOptionsError = startup<[sentence: string]>('INVALID_OPTIONS', '@fastback/mcp: %s')
/** The plugin was registered before `@fastback/core`. */
export const MissingRegistryError = startup(
  'MISSING_REGISTRY',
  'No model registry in this Fastify context: register @fastback/core before @fastback/mcp.'
)
/** The plugin was registered after `@fastback/rest`, whose routes do not take its calls then. */
export const RegisteredLateError = startup(
  'REGISTERED_LATE', 'Register @fastback/mcp before @fastback/rest: its tools call the methods of those routes.'
)
/** There are no routes whose methods could be called. */
export const NoMethodsError = startup<[which: string]>(
  'NO_METHODS', 'There are no REST routes%s: @fastback/mcp calls their methods. Register @fastback/rest in the same application.'
)
/** `tools`, `models` or `confirm` name what is no tool; the message says which. */
export const UnknownToolError = startup<[sentence: string]>('UNKNOWN_TOOL', '@fastback/mcp: %s')
/** More tools than `limits.tools` allows. */
export const TooManyToolsError = startup<[count: number, most: number]>(
  'TOO_MANY_TOOLS',
  '@fastback/mcp: there are %s tools, and "limits.tools" is %s. Name those that agents need in "tools" or "models".'
)
/** A line of the standard input is longer than `maxLine`: where it ends is not known, so nothing after it is read. */
export const LineTooLongError = startup<[most: number]>(
  'LINE_TOO_LONG', '@fastback/mcp: a line of the input has more than %s bytes. Send less in one message, or raise "maxLine".'
)
