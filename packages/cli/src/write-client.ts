/** `fastback client`: a typed client of an application's REST API. */
import path from 'node:path'
import type { ApplicationSource, LoadOptions } from './application.js'
import { clientFile } from './client-file/client-file.js'
import { describeApi } from './describe-api.js'
import { writeOutput } from './write-output.js'

export interface WriteClientOptions extends LoadOptions {
  /** File to write, relative to the working directory, with the folders it lacks; without one nothing is written. */
  readonly out?: string | undefined
}

export interface WrittenClient {
  /** Absolute path, of what was written. */
  readonly file: string | undefined
  readonly text: string
}

/**
 * Writes one TypeScript file without dependencies: types of the published models, their filters and errors, and a
 * function per operation over `fetch`.
 *
 * ```js
 * await writeClient('my-app', { out: 'web/api.ts' })
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function writeClient (
  source: ApplicationSource,
  { out, ...options }: WriteClientOptions = {}
): Promise<WrittenClient> {
  const text = clientFile(await describeApi(source, { ...options, nested: true }))
  const file = out === undefined ? undefined : path.resolve(out)
  if (file !== undefined) writeOutput(file, text)
  return { file, text }
}
