/**
 * An OpenAPI 3.1 description, asked by somebody who holds a response: which operation was that, and what did the
 * description promise of it.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export interface Reference { readonly $ref: string }
export interface Media { readonly schema?: object, readonly 'x-itemSchema'?: object }
export interface Response {
  readonly content?: Readonly<Record<string, Media>>
  readonly headers?: Readonly<Record<string, { readonly schema: object, readonly required?: boolean }>>
}
export interface Operation {
  readonly operationId: string
  readonly 'x-any-verb'?: boolean
  readonly responses: Readonly<Record<string, Response | Reference>>
}
export interface Document {
  readonly servers?: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: {
    readonly responses?: Readonly<Record<string, Response>>
    readonly schemas?: Readonly<Record<string, object>>
  }
}

interface Template { readonly parts: readonly string[], readonly operations: Readonly<Record<string, Operation>> }

/**
 * What a path is: a described one with or without the verb, one below the API that is not described, or one of
 * something else.
 */
export type Place =
  | { readonly kind: 'operation', readonly operation: Operation }
  | { readonly kind: 'verb' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'elsewhere' }

export class Description {
  readonly #base: string[]
  readonly #templates: Template[]
  readonly #ajv: Ajv2020
  readonly #checks = new WeakMap<object, ValidateFunction>()

  constructor (readonly document: Document) {
    this.#base = partsOf(document.servers?.[0]?.url ?? '/')
    this.#templates = Object.entries(document.paths)
      .map(([path, operations]) => ({ parts: partsOf(path), operations }))
      .sort((a, b) => moreExact(a.parts, b.parts))
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
    addFormats.default(this.#ajv)
    this.#ajv.addSchema({ $id: 'document', components: document.components })
  }

  /** @param path as it was asked for, without the query */
  place (verb: string, path: string): Place {
    const asked = partsOf(path)
    if (!this.#base.every((part, index) => part === asked[index])) return { kind: 'elsewhere' }
    const below = asked.slice(this.#base.length)
    const matching = this.#templates.filter(({ parts }) => matches(parts, below))
    // The router goes back to a path with parameters where the exact one lacks the verb.
    for (const { operations } of matching) {
      const operation =
        operations[verb] ??
        (verb === 'head' ? operations.get : undefined) ??
        Object.values(operations).find(each => each['x-any-verb'])
      if (operation !== undefined) return { kind: 'operation', operation }
    }
    return { kind: matching.length > 0 ? 'verb' : 'unknown' }
  }

  /** What an operation promises for a status; `named` unless only its `default` covers it. */
  response (
    { responses }: Operation,
    status: number
  ): { readonly response: Response; readonly named: boolean } | undefined {
    const own = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`]
    const found = own ?? responses.default
    return found === undefined ? undefined : { response: this.#resolve(found), named: own !== undefined }
  }

  /** A response that operations share. */
  shared (name: string): Response | undefined {
    return this.document.components?.responses?.[name]
  }

  #resolve (response: Response | Reference): Response {
    if (!('$ref' in response)) return response
    const found = this.document.components?.responses?.[response.$ref.split('/').at(-1) as string]
    if (found === undefined) throw new Error(`The description has no ${response.$ref}`)
    return found
  }

  /** What is wrong with a value. */
  faults (schema: object, value: unknown): string[] {
    let check = this.#checks.get(schema)
    if (check === undefined) {
      check = this.#ajv.compile(absolute(schema) as object)
      this.#checks.set(schema, check)
    }
    return check(value) === true ? [] : (check.errors ?? []).map(worded)
  }
}

const worded = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || '/'} ${message} ${JSON.stringify(params)}`

/** References within the document become references to the document. */
function absolute (node: unknown): unknown {
  if (Array.isArray(node)) return node.map(absolute)
  if (node === null || typeof node !== 'object') return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith('#/') ? `document${value}` : absolute(value)
    ])
  )
}

/** Segments in small letters, decoded; slashes at the end do not count. */
const partsOf = (path: string): string[] => path.replace(/\/+$/, '').split('/').slice(1).map(decoded)

function decoded (part: string): string {
  try {
    return decodeURIComponent(part).toLowerCase()
  } catch {
    return part.toLowerCase()
  }
}

const isParameter = (part: string): boolean => part.startsWith('{')

const matches = (template: readonly string[], parts: readonly string[]): boolean =>
  template.length === parts.length &&
  template.every((part, index) => (isParameter(part) ? parts[index] !== '' : part === parts[index]))

/** The router takes an exact segment before a parameter, from the left. */
function moreExact (a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = Number(isParameter(a[index] as string)) - Number(isParameter(b[index] as string))
    if (difference !== 0) return difference
  }
  return 0
}
