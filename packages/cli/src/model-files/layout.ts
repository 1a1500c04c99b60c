/** Where an application folder keeps what (LoopBack's layout). */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ChangeSet } from '../changes/index.js'
import { CodeApplicationError, NoFolderError } from '../errors.js'

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
  /**
   * Of an application in code, as the template `typescript` is: the module that exports the definitions of all models.
   * Data sources, configuration and all else are in code that no command edits. Undefined in a folder.
   */
  readonly exports?: string
}

/** Where an application in code has its definitions, and what makes it. */
const code = { models: 'src/models', exports: 'src/models/index.ts', application: 'src/app.ts', built: 'dist/app.js' }

const isCode = (folder: string): boolean => existsSync(path.join(folder, code.exports))

/**
 * The layout of an application folder.
 * @throws FBK_CLI_NO_FOLDER where it is none, FBK_CLI_CODE_APPLICATION where the application is made in code
 */
export function layoutOf (folder: string): Layout {
  const server = serverOf(folder)
  if (server === undefined) throw new (isCode(folder) ? CodeApplicationError : NoFolderError)(folder)
  return folderLayout(server)
}

/**
 * The same for commands that write definitions of models and nothing else, which an application in code has as well.
 *
 * ```js
 * modelLayoutOf('my-app').exports // 'src/models/index.ts' where it is the template "typescript"
 * ```
 * @throws FBK_CLI_NO_FOLDER where it is neither
 */
export function modelLayoutOf (folder: string): Layout {
  return serverOf(folder) === undefined && isCode(folder)
    ? { ...folderLayout('.'), commonModels: code.models, serverModels: code.models, exports: code.exports }
    : layoutOf(folder)
}

/**
 * What is loaded to look at the application of a layout: its folder; of one in code its module, and what was built of
 * it where this Node.js does not run TypeScript.
 */
export function sourceOf (folder: string, { exports }: Layout, runsTypeScript: boolean): string {
  if (exports === undefined) return folder
  const built = path.join(folder, code.built)
  return runsTypeScript || !existsSync(built) ? path.join(folder, code.application) : built
}

const serverOf = (folder: string): string | undefined =>
  ['server', '.'].find(each => existsSync(path.join(folder, each, 'model-config.json')))

function folderLayout (server: string): Layout {
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
