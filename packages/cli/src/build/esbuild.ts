/** esbuild, an optional package: only `fastback build` needs it. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { EsbuildMissingError } from '../errors.js'

export type Esbuild = typeof import('esbuild')

/**
 * That of the application, else the one beside this package.
 *
 * ```js
 * const { build } = loadEsbuild('/srv/my-app')
 * ```
 * @throws FBK_CLI_ESBUILD_MISSING
 */
export function loadEsbuild (folder: string): Esbuild {
  for (const from of [path.join(folder, 'package.json'), import.meta.url]) {
    try {
      return createRequire(from)('esbuild') as Esbuild
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new EsbuildMissingError()
}
