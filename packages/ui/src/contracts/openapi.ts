/** The parts of OpenAPI that the builder makes. */
import type { LoginWays } from '@fastback/core/remote'

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>

export interface Reference { readonly $ref: string }

export interface Media {
  readonly schema: Schema
  readonly example?: unknown
  /** Of a form: the media types of its files, separated by commas. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>
  /**
   * Of a stream: what each of its pieces is, the data of an event or a line. (OpenAPI itself has `itemSchema` from 3.2
   * on.)
   */
  readonly 'x-itemSchema'?: Schema
}
export type Content = Readonly<Record<string, Media>>

/** What to call the API. Everything of OpenAPI's Info Object is allowed; `title` and `version` have defaults. */
export interface Info {
  readonly title?: string
  readonly version?: string
  readonly description?: string
  readonly [key: string]: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly deprecated?: boolean
  readonly schema?: Schema
  /** Instead of `schema`: the text is of this media type. */
  readonly content?: Content
}

export interface RequestBody { readonly required: boolean, readonly description?: string, readonly content: Content }

export interface Header { readonly schema: Schema, readonly description?: string, readonly required?: boolean }

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Content
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  /** Whether the other verbs that its path has in no other operation do the same. */
  readonly 'x-any-verb'?: boolean
  /** Whether the header `Idempotency-Key` is taken, by which repeats of a request have its effect once. */
  readonly 'x-idempotency-key'?: 'optional' | 'required'
  /** Which rows and properties access rules leave, in words. */
  readonly 'x-row-rules'?: string
  readonly responses: Readonly<Record<string, Response | Reference>>
}

/** Operations of one path, by verb in lower case. */
export type PathItem = Record<string, Operation>

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Info & { readonly title: string, readonly version: string }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly tags: ReadonlyArray<{ readonly name: string, readonly description?: string }>
  readonly security?: ReadonlyArray<Readonly<Record<string, readonly string[]>>>
  readonly paths: Readonly<Record<string, PathItem>>
  /** Ways to log in by an account elsewhere: where they begin, and where a page exchanges its code for a token. */
  readonly 'x-logins'?: LoginWays
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes?: Readonly<Record<string, Schema>>
  }
}
