/**
 * Files that a command is going to write: planned first, looked at, and then written together (generators.md, CL-3,
 * CL-4, GE-7).
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { parse, type JSONPath, type ParseError } from 'jsonc-parser'
import { NotJsonError, OutsideFolderError } from '../errors.js'
import { insertInJson, setInJson } from './json-edit.js'

export type ChangeKind = 'created' | 'changed' | 'removed'

/** A file as it is and as it shall be. */
export interface FileChange {
  /** Relative to the folder, with slashes. */
  readonly file: string
  readonly change: ChangeKind
  /** Undefined: there is no such file. */
  readonly before: string | undefined
  /** Undefined: the file goes. */
  readonly after: string | undefined
}

/**
 * The changes of one command. What it has planned already, it reads back: several steps may change one file.
 *
 * ```js
 * const changes = new ChangeSet('/srv/shop')
 * changes.setJson('server/model-config.json', ['Coffee'], { dataSource: 'db', public: false })
 * changes.write('common/models/coffee.js', script)
 * ```
 */
export class ChangeSet {
  readonly #files = new Map<string, { readonly before: string | undefined, after: string | undefined }>()

  /** @param folder absolute; nothing outside of it is written */
  constructor (readonly folder: string) {}

  /** The text of a file with what was planned; undefined where there is none. */
  read (file: string): string | undefined {
    const planned = this.#files.get(this.#name(file))
    return planned === undefined ? this.#onDisk(file) : planned.after
  }

  has (file: string): boolean {
    return this.read(file) !== undefined
  }

  write (file: string, text: string): void {
    this.#plan(file, text)
  }

  remove (file: string): void {
    this.#plan(file, undefined)
  }

  /**
   * What a file of JSON says; comments are allowed. Undefined where there is no such file.
   * @throws FBK_CLI_NOT_JSON
   */
  readJson (file: string): unknown {
    const text = this.read(file)
    if (text === undefined) return undefined
    const faults: ParseError[] = []
    const value: unknown = parse(text, faults, { allowTrailingComma: true })
    if (faults.length > 0) throw new NotJsonError(file)
    return value
  }

  /**
   * Sets one value in a file of JSON; every other byte stays as it is, so that comments and formatting do. A file that
   * is not there begins as `{}`.
   * @param at keys and positions; -1 as the last one appends to a list
   * @param value undefined takes the key away
   * @throws FBK_CLI_NOT_JSON
   */
  setJson (file: string, at: JSONPath, value: unknown): void {
    const text = this.read(file)
    if (text === undefined) {
      if (value !== undefined) {
        this.write(file, jsonText(at.reduceRight<unknown>((inner, key) =>
          typeof key === 'number' ? [inner] : { [key]: inner }, value)))
      }
      return
    }
    this.readJson(file)
    this.write(file, setInJson(text, at, value))
  }

  /**
   * Sets a key of a file of JSON that it does not have, before another one; as `setJson` otherwise.
   * @param before undefined: behind the last
   * @throws FBK_CLI_NOT_JSON
   */
  insertJson (file: string, key: string, value: unknown, before: string | undefined): void {
    this.readJson(file)
    this.write(file, insertInJson(this.read(file) ?? '{}\n', key, value, before))
  }

  /** What is to be done, in the order in which it was planned; a file that stays as it is is none of it. */
  get changes (): FileChange[] {
    return [...this.#files].filter(([, { before, after }]) => before !== after).map(([file, { before, after }]) =>
      ({ file, before, after, change: before === undefined ? 'created' : after === undefined ? 'removed' : 'changed' }))
  }

  /**
   * All changes as one unified diff.
   * @param only the change of this file alone
   */
  diff (only?: string): string {
    const wanted = this.changes.filter(({ file }) => only === undefined || file === only)
    return wanted.map(({ file, before, after }) => createTwoFilesPatch(
      before === undefined ? '/dev/null' : `a/${file}`, after === undefined ? '/dev/null' : `b/${file}`,
      before ?? '', after ?? '', undefined, undefined,
      { headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true } }
    )).join('')
  }

  #plan (file: string, after: string | undefined): void {
    const name = this.#name(file)
    const planned = this.#files.get(name)
    if (planned === undefined) this.#files.set(name, { before: this.#onDisk(file), after })
    else planned.after = after
  }

  #onDisk (file: string): string | undefined {
    const full = path.join(this.folder, this.#name(file))
    return existsSync(full) ? readFileSync(full, 'utf8') : undefined
  }

  #name (file: string): string {
    const name = path.relative(this.folder, path.resolve(this.folder, file))
    if (name === '' || name.startsWith('..') || path.isAbsolute(name)) throw new OutsideFolderError(file)
    return name.replaceAll(path.sep, '/')
  }
}

/** A value as the generators of LoopBack write it: two spaces, and a line break at the end (GE-5). */
export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2) + '\n'
