import type { ErrorHandlerOptions, RemotingSettings } from '@fastback/rest'

/** What the application's settings say about answers to errors; `false` says no more than nothing. */
export function errorOptions (settings: Readonly<Record<string, unknown>>): ErrorHandlerOptions {
  const { errorHandler, rest } = (settings.remoting ?? {}) as RemotingSettings
  const { errors = 'loopback', errorDetails } = rest ?? {}
  return { errors, errorDetails, ...(errorHandler === false ? {} : errorHandler) }
}
