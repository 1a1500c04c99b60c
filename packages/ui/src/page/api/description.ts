/** The API's description, as the page reads it. */
import type { LoginWays } from '@fastback/core/remote'
import type { OpenApiDocument, Operation, Reference, Response, Schema } from '../../contracts/openapi.js'

/** An operation with its place. */
export interface Action extends Operation {
  readonly verb: string
  readonly path: string
}

/**
 * The description of the API, as pages ask it.
 *
 * ```js
 * const description = new ApiDescription(await response.json())
 * description.of('Note').map(({ operationId }) => operationId) // ['Note.create', …]
 * ```
 */
export class ApiDescription {
  readonly actions: readonly Action[]
  #callers: Promise<Readonly<Record<string, string>>> | undefined

  constructor (readonly document: OpenApiDocument) {
    this.actions = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([verb, operation]) => ({ ...operation, verb: verb.toUpperCase(), path }))
    )
  }

  /** Where requests go: with a trailing slash removed. */
  get base (): string {
    return new URL(this.document.servers[0]?.url ?? '/', window.location.href).href.replace(/\/$/, '')
  }

  /** Whether requests may carry a token. */
  get secured (): boolean {
    return this.document.components.securitySchemes !== undefined
  }

  /** Ways to log in by an account elsewhere. */
  get logins (): LoginWays | undefined {
    return this.document['x-logins']
  }

  of (tag: string): Action[] {
    return this.actions.filter(({ tags }) => tags.includes(tag))
  }

  /** The operation that ends a token: that of the model that gave it, else the first there is. */
  logout (tag: string | null): Action | undefined {
    const all = this.actions.filter(({ operationId }) => operationId.endsWith('.logout'))
    return all.find(({ tags }) => tag !== null && tags.includes(tag)) ?? all[0]
  }

  /**
   * Where uploads of the files of a form begin that can go on after a cut: a storage model has the two beside each
   * other.
   */
  resumable ({ operationId, path }: Action): Action | undefined {
    if (!operationId.endsWith('.upload')) return undefined
    const begin = path.replace(/\/upload$/, '/resumable')
    const continues = this.actions.some(other => other.verb === 'PATCH' && other.path.startsWith(`${begin}/`) &&
      other.requestBody?.content['application/offset+octet-stream'] !== undefined)
    return continues ? this.actions.find(other => other.verb === 'POST' && other.path === begin) : undefined
  }

  schema (schema: Schema | undefined): Schema {
    const { $ref } = schema ?? {}
    return typeof $ref === 'string'
      ? (this.document.components.schemas[$ref.split('/').at(-1) as string] ?? {})
      : (schema ?? {})
  }

  /** Who may call each method, by its name; empty where the server does not tell. Asked for once. */
  callers (): Promise<Readonly<Record<string, string>>> {
    return (this.#callers ??= fetch('callers.json').then(async response =>
      response.ok ? await response.json() as Record<string, string> : {}))
  }

  /** The schema of this name; an empty one where there is none. */
  component (name: string): Schema {
    return Object.hasOwn(this.document.components.schemas, name) ? this.document.components.schemas[name] as Schema : {}
  }

  /** Relations that a model's rows can be read with, and the models that they lead to. */
  relations (model: string): Array<{ name: string, target: string }> {
    const { properties = {} } = this.component(model) as { properties?: Readonly<Record<string, Schema>> }
    return this.#includable(model).map(name => {
      const row = this.typeName(properties[name]).replace(/\[\]$/, '')
      const bare = row.replace(/Row$/, '')
      return { name, target: this.component(`${row}Where`).properties === undefined ? bare : row }
    })
  }

  #includable (model: string): string[] {
    const [byName] = (this.component(`${model}Include`).anyOf ?? []) as Array<{ enum?: string[] }>
    return byName?.enum ?? []
  }

  response (response: Response | Reference): Response {
    return '$ref' in response
      ? (this.document.components.responses[response.$ref.split('/').at(-1) as string] ?? { description: '' })
      : response
  }

  /** What a schema's author shows of it; of several schemas, the first that has one. */
  example (schema: Schema | undefined): unknown {
    const found = this.schema(schema)
    const branches = (found.anyOf ?? found.allOf) as Schema[] | undefined
    return (
      (found.examples as unknown[] | undefined)?.[0] ??
      found.example ??
      branches?.map(branch => this.example(branch)).find(example => example !== undefined)
    )
  }

  /**
   * What a body begins with: of the example of a model what must be given, of one that somebody wrote all of it. What
   * may be left out has a field, and is not sent before somebody fills it in.
   */
  beginning (schema: Schema | undefined): unknown {
    const { $ref, anyOf } = schema ?? {}
    if ($ref !== undefined) return this.#needed(this.example(schema), schema)
    const branches = anyOf as Schema[] | undefined
    return branches === undefined || schema?.examples !== undefined
      ? this.example(schema)
      : branches.map(branch => this.beginning(branch)).find(beginning => beginning !== undefined)
  }

  /** A value without the members that its schema does not require, at any depth. */
  #needed (value: unknown, written: Schema | undefined): unknown {
    const { properties, required = [], items } = this.schema(written) as {
      readonly properties?: Readonly<Record<string, Schema>>
      readonly required?: readonly string[]
      readonly items?: Schema
    }
    if (Array.isArray(value)) return value.map(each => this.#needed(each, items))
    if (value === null || typeof value !== 'object' || properties === undefined) return value
    return Object.fromEntries(Object.entries(value)
      .filter(([name]) => required.includes(name))
      .map(([name, each]) => [name, this.#needed(each, properties[name])]))
  }

  /** The operations that give a token for a password, each of another user model. */
  get signIns (): Action[] {
    return this.actions.filter(({ operationId, verb, requestBody }) => {
      const { properties } = this.schema(requestBody?.content['application/json']?.schema)
      return verb === 'POST' && operationId.endsWith('.login') && Object.hasOwn(properties ?? {}, 'password')
    })
  }

  /** A schema in a few words: `Note[]`, `string (date-time)`. */
  typeName (schema: Schema | undefined): string {
    const { $ref, type, format, items, anyOf, allOf } = schema ?? {}
    if (typeof $ref === 'string') return $ref.split('/').at(-1) as string
    // What stands beside the first says more of it.
    if (Array.isArray(allOf)) return this.typeName(allOf[0] as Schema)
    if (Array.isArray(anyOf)) return anyOf.map(branch => this.typeName(branch as Schema)).join(' or ')
    const name = Array.isArray(type) ? type.filter(each => each !== 'null').join(' or ') : String(type ?? 'any')
    return name === 'array'
      ? `${this.typeName(items as Schema)}[]`
      : typeof format === 'string'
        ? `${name} (${format})`
        : name
  }
}

/**
 * Reads the description that is served beside the page.
 *
 * ```js
 * const description = await loadDescription()
 * ```
 * @throws Error when there is none
 */
export async function loadDescription (): Promise<ApiDescription> {
  const response = await fetch('openapi.json?version=3.1', { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`The description could not be read: ${response.status} ${response.statusText}`)
  return new ApiDescription(await response.json() as OpenApiDocument)
}

/**
 * The name of the method: of several routes of one, the later ones have their verb behind it.
 *
 * ```js
 * plainId({ operationId: 'Note.exists.head', verb: 'HEAD' }) // 'Note.exists'
 * ```
 */
export const plainId = ({ operationId, verb }: Action): string =>
  operationId.replace(new RegExp(`\\.${verb.toLowerCase()}\\d*$`), '')
