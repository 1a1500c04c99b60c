/** What the explorer of a registry was told: kept with the registry, for tools that describe it without a server. */
import type { ModelRegistry } from '@fastback/core'
import type { ExplorerOptions } from './options.js'

const kOptions = Symbol('fastback.explorerOptions')

interface Kept { options: ExplorerOptions | undefined }

const keptIn = (registry: ModelRegistry): Kept => registry.slot(kOptions, () => ({ options: undefined }))

/** Of several explorers the first one counts. */
export function rememberOptions (registry: ModelRegistry, options: ExplorerOptions): void {
  keptIn(registry).options ??= options
}

/**
 * The options of the explorer that was registered for the models; undefined where there is none.
 *
 * ```js
 * const document = openApiDocument(app.registry, documentOptions(explorerOptionsOf(app.registry) ?? {}))
 * ```
 */
export const explorerOptionsOf = (registry: ModelRegistry): ExplorerOptions | undefined => keptIn(registry).options
