/** Where an application folder keeps what (LoopBack's layout). */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ChangeSet } from '../changes/index.js'
import { NoFolderError } from '../errors.js'

/** Paths relative to the folder, with slashes. */
export interface Layout {
  /** Where `model-config.json` and the others are: `server`, or the folder itself. */
  readonly server: string
  readonly modelConfig: string
  readonly dataSources: string
  readonly middleware: string
  readonly componentConfig: string
  /** Models that a client may know as well, and the server's own. */
  readonly commonModels: string
  readonly serverModels: string
  readonly bootScripts: string
  readonly mixins: string
  readonly manifest: string
}

/**
 * The layout of an application folder.
 * @throws FBK_CLI_NO_FOLDER where it is none
 */
export function layoutOf (folder: string): Layout {
  const server = ['server', '.'].find(each => existsSync(path.join(folder, each, 'model-config.json')))
  if (server === undefined) throw new NoFolderError(folder)
  const at = (name: string): string => path.posix.join(server, name)
  return {
    server,
    modelConfig: at('model-config.json'),
    dataSources: at('datasources.json'),
    middleware: at('middleware.json'),
    componentConfig: at('component-config.json'),
    commonModels: server === '.' ? 'models' : 'common/models',
    serverModels: at('models'),
    bootScripts: at('boot'),
    mixins: server === '.' ? 'mixins' : 'common/mixins',
    manifest: 'package.json'
  }
}

/** Whether scripts of the folder are ES modules. */
export const isModuleFolder = (changes: ChangeSet, { manifest }: Layout): boolean =>
  (changes.readJson(manifest) as { type?: unknown } | undefined)?.type === 'module'
