/** The files of a folder that the points of the upgrade look at: configuration, models and code, with their lines. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { findNodeAtLocation, parseTree, type JSONPath, type Node } from 'jsonc-parser'
import type { Folder } from '../load/folder.js'

/** Where something stands: `server/config.json`, line 7. */
export interface Place {
  readonly file: string
  readonly line: number
}

const notOwn: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'client', 'public', 'dist', 'test', 'tests'])
/** Larger files are no code of a person's. */
const largest = 500_000
const mostFiles = 2_000

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** A JSON file of the folder. What is not there, or no JSON, has nothing in it. */
export class JsonFile {
  readonly #text: string
  readonly #root: Node | undefined

  constructor (readonly file: string, absolute: string) {
    this.#text = existsSync(absolute) ? readFileSync(absolute, 'utf8') : ''
    this.#root = parseTree(this.#text)
  }

  /** The place of a key or a value; undefined where there is none. */
  find (...at: JSONPath): Place | undefined {
    const node = this.#node(at)
    const keyed = node?.parent?.type === 'property' ? node.parent : node
    return keyed === undefined ? undefined : { file: this.file, line: lineAt(this.#text, keyed.offset) }
  }

  value (...at: JSONPath): unknown {
    const node = this.#node(at)
    return node === undefined ? undefined : JSON.parse(this.#text.slice(node.offset, node.offset + node.length))
  }

  /** The keys of an object. */
  keys (...at: JSONPath): string[] {
    const node = this.#node(at)
    return node?.type === 'object' ? (node.children ?? []).map(({ children }) => String(children?.[0]?.value)) : []
  }

  #node (at: JSONPath): Node | undefined {
    return this.#root === undefined ? undefined : findNodeAtLocation(this.#root, at)
  }
}

/** A file of code, line by line; comments that fill a line are left out. */
export class CodeFile {
  readonly #lines: string[]

  constructor (readonly file: string, absolute: string) {
    this.#lines = readFileSync(absolute, 'utf8').split('\n')
  }

  find (pattern: RegExp): Place[] {
    return this.#lines.flatMap((text, index) =>
      pattern.test(text) && !/^\s*(\/\/|\*|\/\*)/.test(text) ? [{ file: this.file, line: index + 1 }] : [])
  }
}

export interface Sources {
  readonly manifest: JsonFile
  readonly config: JsonFile
  readonly middleware: JsonFile
  readonly modelConfig: JsonFile
  readonly models: readonly JsonFile[]
  readonly code: readonly CodeFile[]
}

export function readSources (folder: Folder, manifest: JsonFile): Sources {
  const json = (file: string): JsonFile => new JsonFile(folder.name(file), file)
  const files = [...ownFiles(folder.root)]
  return {
    manifest,
    config: json(folder.path('config.json')),
    middleware: json(folder.path('middleware.json')),
    modelConfig: json(folder.path('model-config.json')),
    models: files.filter(file => /[\\/]models[\\/][^\\/]+\.json$/.test(file)).map(json),
    code: files.filter(file => /\.[cm]?js$/.test(file)).map(file => new CodeFile(folder.name(file), file))
  }
}

function * ownFiles (root: string): Generator<string> {
  let found = 0
  const waiting = [root]
  for (let dir = waiting.shift(); dir !== undefined; dir = waiting.shift()) {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const file = path.join(dir, entry.name)
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !notOwn.has(entry.name)) waiting.push(file)
      } else if (entry.isFile() && /\.([cm]?js|json)$/.test(entry.name) && statSync(file).size <= largest) {
        if (++found > mostFiles) return
        yield file
      }
    }
  }
}
