/** component-config.json: components by name. */
import { readConfig } from './config-file.js'
import type { Steps } from '../steps.js'
import type { Folder } from './folder.js'
import { substitute, type Substitution } from './substitute.js'

export interface ComponentConfig {
  /** As written: a package (`loopback-component-explorer`) or a file (`./components/x`). */
  readonly name: string
  readonly options: unknown
}

export interface ComponentConfigs {
  readonly file: string
  /** Whether the folder has the file at all. */
  readonly present: boolean
  /** Components in the order of the file; those whose value is false, null or empty text are switched off. */
  readonly components: readonly ComponentConfig[]
  /** Names that the file switches off. */
  readonly off: readonly string[]
}

/** @throws FBK_BOOT_INVALID_JSON, FBK_BOOT_MERGE */
export function * loadComponentConfig (folder: Folder, env: string, by: Substitution): Steps<ComponentConfigs> {
  const { file, value, present } = yield * readConfig(folder, 'component-config', env)
  const entries = Object.entries(value)
  return {
    file,
    present,
    components: entries
      .filter(([, options]) => Boolean(options))
      .map(([name, options]) => ({ name, options: substitute(options, by) })),
    off: entries.filter(([, options]) => !options).map(([name]) => name)
  }
}
