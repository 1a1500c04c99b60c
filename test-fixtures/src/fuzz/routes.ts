/** The routes of a running server, from its own description. */
import type { JsonSchema } from '../hostile/index.js'

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

export interface Operation {
  /** `Customer.prototype.__get__orders`; a method with several routes has each under an id of its own (`.put`). */
  readonly id: string
  /** `Customer` */
  readonly model: string
  /** `prototype.__get__orders`, without what tells its routes apart. */
  readonly method: string
  readonly verb: string
  /** `/api/Customers/{id}/orders` */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** What a body may be; undefined where the operation takes none. */
  readonly body: JsonSchema | undefined
  /** `responses` of the description. */
  readonly responses: Readonly<Record<string, Response>>
}

interface Media { readonly schema?: JsonSchema }
interface Response { readonly $ref?: string, readonly content?: Readonly<Record<string, Media>> }

export interface ApiDocument {
  readonly servers?: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, JsonSchema>>
    readonly responses?: Readonly<Record<string, Response>>
  }
}

interface DocumentOperation {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<{
    name: string
    in: string
    required?: boolean
    schema?: JsonSchema
    content?: Record<string, Media>
  }>
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response>>
}

export function operationsOf (document: ApiDocument): Operation[] {
  const root = (document.servers?.[0]?.url ?? '').replace(/\/$/, '')
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): Operation => {
      const [model = '', ...rest] = operation.operationId.split('.')
      const last = rest.at(-1) as string
      const alone =
        rest.length > (rest[0] === 'prototype' ? 2 : 1) &&
        ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'].includes(last.replace(/\d+$/, ''))
      return {
        id: operation.operationId,
        model,
        method: (alone ? rest.slice(0, -1) : rest).join('.'),
        verb: verb.toUpperCase(),
        path: root + path,
        parameters: (operation.parameters ?? []).map(each => ({
          ...each,
          schema: each.schema ?? Object.values(each.content ?? {})[0]?.schema ?? {}
        })),
        body:
          operation.requestBody === undefined
            ? undefined
            : (Object.values(operation.requestBody.content ?? {})[0]?.schema ?? {}),
        responses: operation.responses
      }
    })
  )
}

/** Responses of these do not end by themselves. */
export const isStream = ({ responses }: Operation): boolean =>
  Object.values(responses).some(({ content }) => content?.['text/event-stream'] !== undefined)
