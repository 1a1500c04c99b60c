import type { FastifyRequest } from 'fastify'

/** What the body of a request was: nothing, JSON, a patch in it, lines of it, a form, or something that is not read. */
export type BodyKind = 'none' | 'json' | 'merge-patch' | 'json-patch' | 'lines' | 'form' | 'other'

const kBodyKind = Symbol('fastback.bodyKind')

/** Name and start value for `decorateRequest`. */
export const bodyKindDecorator = [kBodyKind as unknown as string, 'none'] as const

type Marked = FastifyRequest & { [kBodyKind]?: BodyKind }

export const bodyKind = (request: FastifyRequest): BodyKind => (request as Marked)[kBodyKind] ?? 'none'

export function setBodyKind (request: FastifyRequest, kind: BodyKind): void {
  (request as Marked)[kBodyKind] = kind
}
