/** Where the parts of an application folder are. */
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { FolderError } from '../errors.js'

const configurations = ['model-config', 'datasources', 'config'].flatMap(name => [`${name}.json`, `${name}.js`])

/** What code gives in place of files: `boot(app, { models, dataSources, … })`. */
export interface GivenConfiguration {
  /** In place of config.json. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
  /** In place of model-config.json. */
  readonly models?: Readonly<Record<string, unknown>> | undefined
  /** In place of datasources.json. */
  readonly dataSources?: Readonly<Record<string, unknown>> | undefined
  /** In place of middleware.json. */
  readonly middleware?: Readonly<Record<string, unknown>> | undefined
  /** In place of component-config.json. */
  readonly components?: Readonly<Record<string, unknown>> | undefined
  /** In place of `_meta.sources` and `_meta.mixins` of model-config.json. */
  readonly modelSources?: readonly string[] | undefined
  readonly mixinSources?: readonly string[] | undefined
  /** Further folders with mixins. */
  readonly mixinDirs?: readonly string[] | undefined
  /** Further folders with boot scripts, and scripts; they run before those of the folder `boot`. */
  readonly bootDirs?: readonly string[] | undefined
  readonly bootScripts?: readonly string[] | undefined
}

const nothing: GivenConfiguration = {}

/**
 * An application folder. Names in messages are relative to `root`.
 *
 * ```js
 * const { root, server } = Folder.locate('my-app')
 * ```
 */
export class Folder {
  private constructor (
    /** The application's folder. */
    readonly root: string,
    /** The folder with the configuration files: `root/server` in LoopBack's layout, else `root` itself. */
    readonly server: string,
    /** What code gives in place of its files. */
    readonly given: GivenConfiguration = nothing
  ) {}

  /**
   * @param dir the application folder, or its `server` folder
   * @param given what code gives in place of files: then the folder need not hold any
   * @throws FBK_BOOT_FOLDER when neither holds configuration
   */
  static locate (dir: string, given: GivenConfiguration = nothing): Folder {
    const named = path.resolve(dir)
    // `boot(app, __dirname)` of server/server.js names the folder within.
    const isWithin = path.basename(named) === 'server' && existsSync(path.join(named, '../package.json'))
    const root = isWithin ? path.dirname(named) : named
    if (!isDirectory(root)) throw new FolderError(dir, 'there is no such folder.')
    const server = path.join(root, 'server')
    const candidates = isDirectory(server) ? [server, root] : [root]
    const found = candidates.find(candidate => configurations.some(name => existsSync(path.join(candidate, name))))
    if (found === undefined && Object.keys(given).length > 0) return new Folder(root, named, given)
    if (found === undefined) {
      throw new FolderError(
        dir,
        'neither it nor its folder "server" holds model-config.json, datasources.json or config.json.'
      )
    }
    return new Folder(root, found, given)
  }

  /** A folder that needs no configuration: that of the program, for applications that are code alone. */
  static ofProgram (): Folder {
    const program = process.argv[1]
    const dir = program === undefined ? process.cwd() : path.dirname(program)
    return new Folder(dir, dir)
  }

  /** A file's name for messages. */
  name (file: string): string {
    return path.relative(this.root, file).replaceAll(path.sep, '/')
  }

  /** An absolute path of something named in a configuration file. */
  path (relative: string): string {
    return path.resolve(this.server, relative)
  }

  /**
   * Finds a folder or file that a configuration names: relative (`./models`, `../common/models`), absolute, relative
   * without dots, or inside an installed package (`my-models/common`). Undefined when there is nothing.
   */
  find (named: string): string | undefined {
    const direct = this.path(named)
    if (existsSync(direct)) return direct
    if (path.isAbsolute(named) || named.startsWith('.')) return undefined
    const lookup = createRequire(path.join(this.server, 'package.json')).resolve.paths(named) ?? []
    return lookup.map(folder => path.join(folder, named)).find(candidate => existsSync(candidate))
  }
}

function isDirectory (name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true
}
