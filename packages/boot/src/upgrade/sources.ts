/** The files of a folder that the rules of the upgrade look at: configuration, models and code. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Folder } from '../load/folder.js'
import { Definitions } from './definitions.js'
import { JsonFile } from './json-file.js'
import { Script } from './script.js'
import type { Parse } from './syntax.js'

const notOwn: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'jspm_packages', 'dist', 'build', 'coverage', 'vendor', 'vendors'])
const clientFolders: ReadonlySet<string> = new Set(['client', 'public', 'www', 'web', 'webapp', 'frontend', 'static'])
/** Larger files are no code of a person's. */
const largest = 500_000
const mostFiles = 2_000

export interface SourceOptions {
  /** The text of a file, by its name relative to the folder. Default: what is on the disk. */
  readonly read?: ((file: string) => string | undefined) | undefined
  /** Reads TypeScript. Default: files in TypeScript are left out. */
  readonly parseTypeScript?: Parse | undefined
  /** Files that were looked at already, for those whose text is still the same. */
  readonly seen?: Map<string, Script> | undefined
}

export interface Sources {
  readonly folder: Folder
  readonly manifest: JsonFile
  readonly config: JsonFile
  readonly middleware: JsonFile
  readonly modelConfig: JsonFile
  /** With those of environments: `config.production.json`. */
  readonly configs: readonly JsonFile[]
  readonly middlewares: readonly JsonFile[]
  readonly modelConfigs: readonly JsonFile[]
  readonly definitions: Definitions
  /** Code of the server and of tests. */
  readonly scripts: readonly Script[]
  /** Code of browsers. */
  readonly clients: readonly Script[]
  readonly pages: ReadonlyArray<{ readonly file: string, readonly text: string }>
  /** Files that could not be looked at. */
  readonly unread: ReadonlyArray<{ readonly file: string, readonly why: string }>
}

/**
 * Reads what the rules look at. What cannot be read is named in `unread`.
 *
 * ```js
 * const sources = readSources(Folder.locate('my-app'))
 * const found = upgradeRules.flatMap(({ find }) => find(sources, {}))
 * ```
 */
export function readSources (folder: Folder, options: SourceOptions = {}): Sources {
  const { read = (file: string) => onDisk(path.join(folder.root, file)) } = options
  const json = (file: string): JsonFile => new JsonFile(file, read(file))
  const server = folder.name(folder.server)
  const inServer = (name: string): string => server === '' ? name : `${server}/${name}`
  const { files, left } = ownFiles(folder.root)
  const variants = (name: string): JsonFile[] => files
    .filter(file => path.posix.dirname(file) === (server === '' ? '.' : server))
    .filter(file => new RegExp(`^${name}(\\.[\\w-]+)?\\.json$`).test(path.posix.basename(file))).map(json)
  const modelConfig = json(inServer('model-config.json'))
  const places = sourcesOf(modelConfig).map(each => path.posix.normalize(path.posix.join(server, each)))
  const isModel = (file: string): boolean =>
    places.includes(path.posix.dirname(file)) || path.posix.basename(path.posix.dirname(file)) === 'models'
  const models = files.filter(file => file.endsWith('.json') && isModel(file) && !isClient(file)).map(json)
  const sources = {
    folder,
    manifest: json('package.json'),
    config: json(inServer('config.json')),
    middleware: json(inServer('middleware.json')),
    modelConfig,
    configs: variants('config'),
    middlewares: variants('middleware'),
    modelConfigs: variants('model-config'),
    definitions: new Definitions(models, modelConfig, json(inServer('datasources.json')))
  }
  const byBase = new Map(sources.definitions.all.map(({ name, json: { file } }) => [withoutExtension(file), name]))
  const { manifest, configs, middlewares, modelConfigs } = sources
  const unread = [...left, ...[manifest, ...configs, ...middlewares, ...modelConfigs, ...models]
    .filter(({ isBroken }) => isBroken).map(({ file }) => ({ file, why: 'it is no JSON' }))]
  const scripts = files.filter(file => /\.[cm]?[jt]s$/.test(file)).flatMap(file => {
    const text = read(file)
    if (text === undefined || !isByHand(file, text)) return []
    const role = { model: byBase.get(withoutExtension(file)), isMixin: /(^|\/)mixins\//.test(file), isClient: isClient(file) }
    const key = `${role.model ?? ''} ${file}\n${text}`
    const parse = /ts$/.test(file) ? options.parseTypeScript : parseScript
    if (parse === undefined) return []
    try {
      const script = options.seen?.get(key) ?? new Script(file, text, parse(text, file), role)
      options.seen?.set(key, script)
      return [script]
    } catch (error) {
      if (!role.isClient) unread.push({ file, why: error instanceof Error ? error.message.split('\n')[0] ?? '' : String(error) })
      return []
    }
  })
  return {
    ...sources,
    scripts: scripts.filter(({ role }) => !role.isClient),
    clients: scripts.filter(({ role }) => role.isClient),
    pages: files.filter(file => file.endsWith('.html')).map(file => ({ file, text: read(file) ?? '' })),
    unread
  }
}

/** Where a file with comments and declarations was written by a person, and not by a tool. */
const isByHand = (file: string, text: string): boolean =>
  !/\.min\.|\.d\.ts$|(^|\/)(lb-services|jquery|angular)[\w.-]*\.js$/.test(file) && text.length / (text.split('\n').length) < 300

const isClient = (file: string): boolean => clientFolders.has(file.split('/')[0] as string) || /(^|\/)(client|www|public)\//.test(file)

const withoutExtension = (file: string): string => file.replace(/\.\w+$/, '')

function sourcesOf (modelConfig: JsonFile): string[] {
  const named = modelConfig.value('_meta', 'sources')
  return Array.isArray(named) ? named.filter(each => typeof each === 'string') : ['./models', '../common/models']
}

/** Loaded with the first file of code: most folders that start need no look at their code. */
const parseScript: Parse = (text, file) => {
  const acorn = createRequire(import.meta.url)('acorn') as typeof import('acorn')
  const options = {
    ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true
  } as const
  const parse = (sourceType: 'script' | 'module') => ({ ...acorn.parse(text, { ...options, sourceType }) })
  try {
    return parse(file.endsWith('.mjs') ? 'module' : 'script')
  } catch (error) {
    if (!/^[ \t]*(?:import|export)\b/m.test(text)) throw error
    return parse('module')
  }
}

export const onDisk = (file: string): string | undefined => existsSync(file) ? readFileSync(file, 'utf8') : undefined

/** The files of the folder, by their names with slashes, and what was left out for its size. */
function ownFiles (root: string): { files: string[], left: Array<{ file: string, why: string }> } {
  const files: string[] = []
  const left: Array<{ file: string, why: string }> = []
  const waiting = ['']
  for (let dir = waiting.shift(); dir !== undefined; dir = waiting.shift()) {
    for (const entry of readdirSync(path.join(root, dir), { withFileTypes: true })) {
      const file = dir === '' ? entry.name : `${dir}/${entry.name}`
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !notOwn.has(entry.name)) waiting.push(file)
      } else if (entry.isFile() && /\.([cm]?[jt]s|json|html)$/.test(entry.name)) {
        if (statSync(path.join(root, file)).size > largest) {
          if (!isClient(file) && !file.endsWith('.json')) left.push({ file, why: `it is larger than ${largest / 1000} kB` })
        } else if (files.length < mostFiles) files.push(file)
        else {
          left.push({ file, why: `it comes after the first ${mostFiles} files, with all others` })
          return { files, left }
        }
      }
    }
  }
  return { files, left }
}
