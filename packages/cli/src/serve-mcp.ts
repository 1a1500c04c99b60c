/** `fastback mcp`: an application folder for the agent that started this process. */
import { Writable } from 'node:stream'
import { knownUsersIn, type LentTo } from '@fastback/core/remote'
import type { ModelRegistry } from '@fastback/core'
import type { ServerOptions } from '@fastback/boot'
import { logMasking } from '@fastback/rest'
import Fastify from 'fastify'
import { NoTokensError } from './errors.js'

export interface ServeMcpOptions extends Pick<ServerOptions, 'env'> {
  /** Methods that are tools, by model. Default: those of `component-config.json`, else all published reads. */
  readonly tools?: Readonly<Record<string, readonly string[]>> | undefined
  /** Whose rights the agent has: a user, or whom a token is of. Default: those of a caller who is not logged in. */
  readonly caller?: LentTo | { readonly token: string } | undefined
  /** Level of the log, which goes to the standard error. */
  readonly log: string
  /** Gets a line for the user, once the application serves. */
  readonly report: (line: string) => void
}

/**
 * Boots a folder, with its databases and without a port, and serves it over the standard input and output until the
 * input ends, or SIGTERM or SIGINT ends it. What code of the folder prints goes to the standard error.
 * @throws FBK_CLI_NO_TOKENS, FBK_AUTH_UNKNOWN_USER; errors of `@fastback/mcp`, `@fastback/boot` and `@fastback/core`
 */
export async function serveMcp (dir: string, { env, tools, caller, log, report }: ServeMcpOptions): Promise<void> {
  const { output, giveBack } = takeOutput()
  const end = new AbortController()
  const abort = (): void => { end.abort() }
  for (const signal of signals) process.once(signal, abort)
  try {
    const [{ load }, { serveStdio, stdioExtension, stdioPath }] =
      await Promise.all([import('@fastback/loopback/launch'), import('@fastback/mcp/stdio')])
    const extensions = [stdioExtension({ tools, anonymous: caller === undefined })]
    const server = await load(dir, { env, extensions, log: logOf(log) })
    try {
      const authorization = caller === undefined ? undefined : await tokenOf(server.fastify.registry, caller)
      report('Serving the models to an agent, over the standard input and output.')
      await serveStdio(server.fastify, {
        path: stdioPath,
        authorization,
        output,
        signal: end.signal,
        onError: error => { server.fastify.log.warn({ reason: error.name }, 'a line of the input is no message, or failed') }
      })
    } finally {
      await server.stop()
    }
  } finally {
    for (const signal of signals) process.removeListener(signal, abort)
    giveBack()
  }
}

const signals = ['SIGTERM', 'SIGINT'] as const

async function tokenOf (registry: ModelRegistry, caller: NonNullable<ServeMcpOptions['caller']>): Promise<string> {
  if ('token' in caller) return caller.token
  const { lendToken } = knownUsersIn(registry)
  if (lendToken === undefined) throw new NoTokensError()
  return await lendToken(caller)
}

/** The standard output for the protocol alone: a line of anything else would end the connection. */
function takeOutput (): { output: Writable, giveBack: () => void } {
  const { stdout, stderr } = process
  const { write } = stdout
  const output = new Writable({
    write (chunk, _encoding, done) { write.call(stdout, chunk as Buffer, undefined, done) }
  })
  const fail = (error: Error): void => { output.destroy(error) }
  stdout.on('error', fail)
  stdout.write = stderr.write.bind(stderr)
  return {
    output,
    giveBack () {
      stdout.write = write
      stdout.removeListener('error', fail)
    }
  }
}

/** Fastify makes the logger that it takes, for another stream than the standard output. */
const logOf = (level: string): ServerOptions['log'] => level === 'silent'
  ? false
  : Fastify({ logger: { level, stream: process.stderr, ...logMasking } }).log
