/**
 * Loads the application's own code: CommonJS (`module.exports = fn`), ES modules (`export default fn`), TypeScript
 * where Node strips types.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isCoded, ModuleNotFoundError, named, ScriptError, TypeScriptError } from '../errors.js'
import type { Folder } from './folder.js'
import { settled, type Steps } from '../steps.js'

const typeScript: readonly string[] = ['.ts', '.cts', '.mts']

/** Whether this Node runs TypeScript by leaving the types out. */
const loadsTypeScript = ['strip', 'transform'].includes(
  String((process.features as { typescript?: unknown }).typescript)
)

/** File extensions of code, in the order in which they are preferred. */
export const codeExtensions: readonly string[] = ['.js', '.cjs', '.mjs', ...(loadsTypeScript ? typeScript : [])]

/**
 * The first file of a name with one of the extensions, or undefined.
 * @throws FBK_BOOT_TYPESCRIPT where there is none, but TypeScript that this Node does not run: it may hold rules, or
 * switch access control on (security.md, S-84)
 */
export function firstFile (
  folder: Folder,
  fileWithoutExtension: string,
  extensions: readonly string[]
): string | undefined {
  const found = extensions.map(extension => fileWithoutExtension + extension).find(file => existsSync(file))
  if (found !== undefined) return found
  const lost = typeScript.map(extension => fileWithoutExtension + extension).find(file => existsSync(file))
  if (lost !== undefined) mustRun(folder, lost)
  return undefined
}

function mustRun (folder: Folder, file: string): void {
  if (isTypeScript(file) && !loadsTypeScript) {
    throw new TypeScriptError(folder.name(file), folder.name(file.replace(/ts$/, 'js')))
  }
}

/**
 * The code file beside a definition (`note.json` → `note.js`), or undefined.
 * @throws FBK_BOOT_TYPESCRIPT
 */
export const codeFileOf = (folder: Folder, fileWithoutExtension: string): string | undefined =>
  firstFile(folder, fileWithoutExtension, codeExtensions)

export const isTypeScript = (file: string): boolean => typeScript.includes(path.extname(file))

/** Whether a file is code, or would be on a Node that runs TypeScript. */
export const isCode = (file: string): boolean =>
  (codeExtensions.includes(path.extname(file)) || isTypeScript(file)) && !/\.d\.[cm]?ts$/.test(file)

/** The exports of a package or file that a configuration names, with the file they came from. */
export interface LoadedModule {
  readonly file: string
  readonly exports: unknown
}

/**
 * What a file exports: the default export where there is one, else everything.
 * @throws FBK_BOOT_SCRIPT naming the file when it cannot be loaded, FBK_BOOT_TYPESCRIPT
 */
export function * loadFile (folder: Folder, file: string): Steps<unknown> {
  mustRun(folder, file)
  try {
    const exported: unknown = isEsModule(file)
      ? yield * settled(import(pathToFileURL(file).href))
      : createRequire(file)(file)
    return defaultOf(exported)
  } catch (error) {
    throw scriptError(folder, file, error)
  }
}

/**
 * A failure of the application's own code, with the file in front of its message and the original as its cause.
 * @param hint what to say of the line of the file that it comes from
 */
export function scriptError (
  folder: Folder, file: string, error: unknown, hint: (line: string) => string = () => ''
): Error {
  if (isCoded(error)) return named(folder.name(file), error) as Error
  const position = placeIn(file, error)
  const said = error instanceof Error
    ? `${sentenceOf(folder, file, error)}${hint(lineOf(file, position))}`
    : String(error)
  const failure = new ScriptError(folder.name(file) + position, said)
  failure.cause = error
  return failure
}

/** The line of a file that `:12:3` is in; empty where there is none. */
function lineOf (file: string, position: string): string {
  const line = Number(/^:(\d+)/.exec(position)?.[1] ?? 0)
  return line === 0 ? '' : readFileSync(file, 'utf8').split('\n')[line - 1] ?? ''
}

/** What an error says; of a package that is not there, who asks for it and what to do. */
function sentenceOf (folder: Folder, file: string, { message }: Error): string {
  const missing = /^Cannot find (?:package|module) '([^'./][^']*)'/.exec(message)?.[1]
  if (missing === undefined) return message
  const asking = /(?: imported from |\n- )(.+)/.exec(message)?.[1]
  const by = asking === undefined || asking === file ? '' : `, which ${folder.name(asking)} asks for`
  return `Cannot find "${missing}"${by}. Install it (npm install ${packageOf(missing)}) or correct the name.`
}

const packageOf = (named: string): string => named.split('/').slice(0, named.startsWith('@') ? 2 : 1).join('/')

/** `:12` or `:12:3`, where in a file an error comes from; nothing where that is not told. */
function placeIn (file: string, error: unknown): string {
  const { stack = '' } = error instanceof Error ? error : {}
  return positionOf(file, stack) ?? (error instanceof SyntaxError ? positionOf(file, checked(file)) : undefined) ?? ''
}

/** Node tells no line of what is no module; a look at the file alone does. */
const checked = (file: string): string => spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr

function positionOf (file: string, text: string): string | undefined {
  for (const name of [file, pathToFileURL(file).href]) {
    const at = text.indexOf(`${name}:`)
    const position = at === -1 ? undefined : /^(?::\d+){1,2}/.exec(text.slice(at + name.length))?.[0]
    if (position !== undefined) return position
  }
}

/**
 * The file of `./path` (with or without extension, or a folder with an index) or of an installed package; undefined
 * when there is none.
 */
export function resolveModule (folder: Folder, named: string): string | undefined {
  const require = createRequire(path.join(folder.server, 'package.json'))
  const local = named.startsWith('.') || path.isAbsolute(named)
  try {
    return require.resolve(local ? folder.path(named) : named)
  } catch (error) {
    if (!local && (error as { code?: string }).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return folder.find(named)
    return local ? codeFileOf(folder, folder.path(named)) : undefined
  }
}

/**
 * Loads `./path` or a package of the application's node_modules.
 * @param where what names it, for the message (`middleware.json, phase "initial"`)
 * @throws FBK_BOOT_MODULE_NOT_FOUND, FBK_BOOT_SCRIPT
 */
export function * loadModule (folder: Folder, named: string, where: string): Steps<LoadedModule> {
  const file = resolveModule(folder, named)
  if (file === undefined) {
    throw new ModuleNotFoundError(
      where,
      named,
      named.startsWith('.') ? '' : ` Install the package (npm install ${packageOf(named)}) or correct the name.`
    )
  }
  return { file, exports: yield * loadFile(folder, file) }
}

function defaultOf (exported: unknown): unknown {
  if (exported !== null && typeof exported === 'object' && 'default' in exported) {
    const inner = exported.default
    // A CommonJS module that was compiled from an ES module and is then imported has its default export one level
    // deeper.
    return inner !== null && typeof inner === 'object' && '__esModule' in inner && 'default' in inner
      ? inner.default
      : inner
  }
  if (typeof exported === 'function' && '__esModule' in exported && 'default' in exported) return exported.default
  return exported
}

/**
 * Whether Node will run the file as an ES module: by extension, else by the nearest package.json.
 *
 * ```js
 * isEsModule('/srv/app/server/server.mjs') // true
 * ```
 */
export function isEsModule (file: string): boolean {
  const extension = path.extname(file)
  if (extension === '.mjs' || extension === '.mts') return true
  if (extension === '.cjs' || extension === '.cts') return false
  for (let dir = path.dirname(file); ; dir = path.dirname(dir)) {
    const manifest = path.join(dir, 'package.json')
    if (existsSync(manifest)) {
      return (JSON.parse(readFileSync(manifest, 'utf8')) as { type?: unknown }).type === 'module'
    }
    if (dir === path.dirname(dir)) return extension === '.ts'
  }
}
