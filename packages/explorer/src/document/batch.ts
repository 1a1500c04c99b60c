/** The route of an API that takes several operations in one request. */
import type { ErrorResponses } from './errors.js'
import { idempotencyKey } from './parameters.js'
import type { Operation, Parameter, Schema } from '@fastback/ui/openapi'

const operation = (most: number): Schema => ({
  type: 'object',
  required: ['method', 'path'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z_][\\w-]{0,63}$', description: 'What later operations refer to it by' },
    method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    path: { type: 'string', maxLength: 2000, description: 'Below the root of the API; "{order.id}" stands for a value of the response of "order"' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'If-Match, If-None-Match, Content-Type, Prefer' },
    body: { description: 'JSON; { "$ref": "order.id" } stands for a value of the response of "order"' }
  },
  examples: [{ id: 'order', method: 'POST', path: '/Orders', body: {} }],
  description: `One of at most ${most}`
})

const result: Schema = {
  type: 'object',
  required: ['status'],
  properties: {
    id: { type: 'string' },
    status: { type: 'integer' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    body: {},
    error: { type: 'object' },
    omitted: { type: 'boolean', description: 'True: the responses together became too large for this one' }
  }
}

/**
 * Describes `POST /batch`.
 *
 * ```js
 * batchOperation('Batch', 100, undefined, errors).operationId // 'Batch.run'
 * ```
 * @param most operations of one request
 * @param key whether it takes an `Idempotency-Key`
 */
export function batchOperation (
  tag: string, most: number, key: Operation['x-idempotency-key'], errors: ErrorResponses
): Operation {
  const header: Parameter = { ...idempotencyKey, ...(key === 'required' ? { required: true } : {}) }
  return {
    operationId: `${tag}.run`,
    tags: [tag],
    summary: 'Does several operations in one request',
    ...(key === undefined ? {} : { parameters: [header], 'x-idempotency-key': key }),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['operations'],
            additionalProperties: false,
            properties: {
              operations: { type: 'array', minItems: 1, maxItems: most, items: operation(most) },
              atomic: { type: 'boolean', default: true, description: 'Whether all is done, or nothing' }
            }
          }
        }
      }
    },
    responses: {
      200: {
        description: 'The results, in the order of the operations',
        content: {
          'application/json': {
            schema: { type: 'object', required: ['results'], properties: { results: { type: 'array', items: result } } }
          }
        }
      },
      400: errors.ref(400),
      413: errors.ref(413),
      415: errors.ref(415),
      422: errors.ref(422),
      default: errors.other()
    }
  }
}
