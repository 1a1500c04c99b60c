import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Configuration } from './configuration.js'
import { callsService, keepsFiles } from './connectors.js'

export interface ScratchStores {
  /** For the option `dataSources` of `createServer`. */
  readonly dataSources: Record<string, Readonly<Record<string, unknown>>>
  /** Removes what was on the disk. */
  remove (): void
}

/**
 * Stores to look at an application with: its own are not touched, and need not be there. Rows are kept in memory; what
 * keeps files has an empty folder, so that its models have their methods. What calls a service stays as it is: it is
 * asked for nothing, unless a boot script does.
 *
 * ```js
 * const { dataSources, remove } = scratchStores(await readConfiguration('my-app'))
 * const server = await createServer('my-app', { dataSources })
 * await server.stop()
 * remove()
 * ```
 */
export function scratchStores ({ dataSources }: Pick<Configuration, 'dataSources'>): ScratchStores {
  const folders: string[] = []
  const folder = (): string => {
    const made = mkdtempSync(path.join(tmpdir(), 'fastback-files-'))
    folders.push(made)
    return made
  }
  const scratch = (settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    if (callsService(settings)) return settings
    return keepsFiles(settings) ? { ...settings, provider: 'filesystem', root: folder() } : inMemory(settings)
  }
  return {
    dataSources: Object.fromEntries(dataSources.map(({ name, settings }) => [name, scratch(settings)])),
    remove () { for (const made of folders) rmSync(made, { recursive: true, force: true }) }
  }
}

/**
 * `scratch` says to extensions that nothing is to be done for good: no job of the application runs, say.
 *
 * What models ask of their data source, `migrate` of the command line among them, it says in memory as well.
 */
const inMemory = ({ foreignKeys }: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  ({ connector: 'memory', scratch: true, ...(foreignKeys === undefined ? {} : { foreignKeys }) })
