/**
 * Finds, reads and merges one configuration: `<name>.json`, `<name>.local.*`, `<name>.<NODE_ENV>.*` (behaviour.md,
 * section 12).
 */
import { readFileSync } from 'node:fs'
import { InvalidConfigError, InvalidJsonError, MergeError } from '../errors.js'
import type { Folder, GivenConfiguration } from './folder.js'
import { isRecord } from './is-record.js'
import { mergeConfig, type Merge } from './merge.js'
import { codeExtensions, firstFile, loadFile } from './module.js'
import type { Steps } from '../steps.js'

/** How code names what it gives in place of a file. */
const givenAs: Readonly<Record<string, keyof GivenConfiguration>> = {
  config: 'config',
  'model-config': 'models',
  datasources: 'dataSources',
  middleware: 'middleware',
  'component-config': 'components'
}

/** One configuration, merged. */
export interface Config {
  /** The main file, for messages (`server/config.json`). */
  readonly file: string
  readonly value: Record<string, unknown>
  /** Whether there is a main file. */
  readonly present: boolean
}

/**
 * Reads a configuration for an environment. Later files are merged over earlier ones: main, `.local`, `.<env>`; of
 * `.local` and `.<env>` a `.js` file is preferred to a `.json` file. Without a main file there is no configuration.
 * What code gives stands in place of all of them.
 * @throws FBK_BOOT_INVALID_JSON, FBK_BOOT_INVALID_CONFIG, FBK_BOOT_MERGE, FBK_BOOT_SCRIPT, FBK_BOOT_TYPESCRIPT
 */
export function * readConfig (
  folder: Folder,
  name: string,
  env: string,
  merge: Merge = mergeConfig
): Steps<Config> {
  const given = folder.given[givenAs[name] as keyof GivenConfiguration]
  if (isRecord(given)) return { file: `the option ${givenAs[name]}`, value: plainCopy(given), present: true }
  const first = (base: string, extensions: readonly string[]): string | undefined =>
    firstFile(folder, folder.path(base), extensions)
  const main = first(name, ['.json', ...codeExtensions])
  const overlays = [`${name}.local`, `${name}.${env}`].flatMap(each => first(each, [...codeExtensions, '.json']) ?? [])
  if (main === undefined) {
    if (overlays[0] !== undefined) {
      throw new InvalidConfigError(folder.name(overlays[0]), `the main file ${name}.json is missing`)
    }
    return { file: folder.name(folder.path(`${name}.json`)), value: {}, present: false }
  }
  let value = yield * readObject(folder, main)
  for (const overlay of overlays) {
    const over = yield * readObject(folder, overlay)
    value = merge(value, over, problem => new MergeError(folder.name(overlay), problem))
  }
  return { file: folder.name(main), value, present: true }
}

function * readObject (folder: Folder, file: string): Steps<Record<string, unknown>> {
  const value = file.endsWith('.json') ? readJson(folder, file) : yield * loadFile(folder, file)
  if (!isRecord(value)) throw new InvalidConfigError(folder.name(file), 'must hold an object')
  // A copy: what a .js file exports belongs to it. The address of the file's JSON Schema is for editors.
  const { $schema, ...content } = plainCopy(value)
  return content
}

/**
 * Plain objects and lists are copied; functions, regular expressions and class instances (from .js files) stay as they
 * are.
 */
function plainCopy<T> (value: T): T {
  if (Array.isArray(value)) return value.map(each => plainCopy(each)) as T
  if (!isRecord(value) || ![Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)) {
    return value
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plainCopy(each)])) as T
}

/**
 * Reads one JSON file.
 * @throws FBK_BOOT_INVALID_JSON naming file and line
 */
export function readJson (folder: Folder, file: string): unknown {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidJsonError(folder.name(file), lineOf(text), `${(error as SyntaxError).message}${hintOf(text)}`)
  }
}

/** What is wrong most often, in words: V8 tells what it expected, and not what to do. */
function hintOf (text: string): string {
  if (text.trim() === '') return '. The file is empty'
  const bare = text.replaceAll(/"(?:[^"\\\n]|\\.?)*"?/g, '""')
  if (/,\s*[}\]]/.test(bare)) return '. A comma stands before a closing bracket: take it away'
  if (/(?:^|\s)\/[/*]/.test(bare)) return '. JSON has no comments'
  if (/[{,]\s*(?:'|[A-Za-z_$])/.test(bare)) return '. Names and texts stand in double quotes'
  return ''
}

/** How much text V8 shows before the place of a JSON error. */
const shown = 10

/**
 * The line of the first JSON error. V8 tells its position, or (Node 20) the text around it, or nothing at the end of
 * the text.
 */
function lineOf (text: string): number {
  // With blanks on both sides, the text around the error is always cut in the same way.
  const blanks = ' '.repeat(2 * shown)
  const padded = blanks + text + blanks
  let index = padded.length
  try {
    JSON.parse(padded)
  } catch (error) {
    const { message } = error as SyntaxError
    const position = /at position (\d+)/.exec(message)?.[1]
    const around = /, \.\.\."([^]*)"\.\.\. is not valid JSON$/.exec(message)?.[1]
    if (position !== undefined) index = Number(position)
    else if (around !== undefined) index = padded.indexOf(around) + shown
  }
  return padded.slice(0, Math.min(index, blanks.length + text.length)).split('\n').length
}
