/** Which row a request is about, for `$owner` (behaviour.md, B-5.9). */
import type { ArgumentDefinition, Row, SharedMethod } from '@fastback/core'
import type { FastifyRequest } from 'fastify'

/**
 * The row at hand: by the address; by the body only for a write of that very row; and of a static method of the
 * application's own by its argument `id` (or of the id's name), read where the method reads it. Never by anything that
 * the method does not look at: with it a caller would show one row and touch another.
 */
export function rowIdReader (method: SharedMethod): (request: FastifyRequest) => unknown {
  const idName = method.model.getIdName() ?? 'id'
  const argument = isOwnStatic(method)
    ? method.accepts.find(({ arg }) => arg === 'id') ?? method.accepts.find(({ arg }) => arg === idName)
    : undefined
  const writesRow = method.builtin === 'patchOrCreate' || method.builtin === 'replaceOrCreate'
  return request => {
    const params = request.params as Row | undefined
    if (params !== undefined && Object.hasOwn(params, 'id')) return params.id
    if (writesRow) return fieldOf(request, idName)
    return argument === undefined ? undefined : argumentOf(request, argument)
  }
}

const isOwnStatic = ({ isStatic, builtin, relation, nested }: SharedMethod): boolean =>
  isStatic && builtin === undefined && relation === undefined && nested === undefined

/** The value that the method gets, as far as it can be an id. */
function argumentOf (request: FastifyRequest, { arg, http }: ArgumentDefinition): unknown {
  const source = http !== null && typeof http === 'object' && 'source' in http ? http.source : http
  const params = request.params as Row | undefined
  if (params !== undefined && Object.hasOwn(params, arg) && (source === undefined || source === 'path')) return params[arg]
  switch (source) {
    case 'query':
      return inQuery(request, arg)
    case 'form':
    case 'formData':
      return scalar(fieldOf(request, arg))
    case undefined: {
      const field = fieldOf(request, arg)
      return field === undefined ? inQuery(request, arg) : scalar(field)
    }
  }
}

/** A parameter of the query that is there once and in one form (`id=1`, not `id[]=1`). */
function inQuery ({ query }: FastifyRequest, name: string): unknown {
  const named = Object.entries((query ?? {}) as Row).filter(([key]) => key === name || key.startsWith(`${name}[`))
  return named.length === 1 && named[0]?.[0] === name ? scalar(named[0][1]) : undefined
}

function fieldOf ({ body }: FastifyRequest, name: string): unknown {
  return body !== null && typeof body === 'object' && !Array.isArray(body) && Object.hasOwn(body, name)
    ? (body as Row)[name]
    : undefined
}

const scalar = (value: unknown): unknown =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? value : undefined
