/** Routes of relations that the rules of the model do not let the caller read, or set (`fields`). */
import { RequestError, type MaybePromise, type SharedMethod } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { FastifyRequest } from 'fastify'
import { refusal } from '../errors.js'

/**
 * Refuses a route of a relation that is not among the properties and relations of the caller: what include does not
 * show is not shown in another way.
 * @throws RequestError as for a method that is denied; 403 FIELD_NOT_WRITABLE where the route writes
 */
export function mustHaveRelation (
  { model, relation, nested }: SharedMethod, isRead: boolean, request: FastifyRequest
): MaybePromise<void> {
  const name = relation ?? nested?.relation.name
  const { rowRules } = request
  const { compiled } = model
  if (name === undefined || rowRules?.concerns(compiled) !== true) return
  return chain(rowRules.of(compiled, isRead ? 'read' : 'update'), rule => {
    if (isRead && rule?.reads?.(name) === false) {
      throw refusal(model, request.accessToken !== null, (request.params as { id?: unknown }).id)
    }
    if (!isRead && rule?.writes?.(name) === false) {
      throw new RequestError(403, `The rules of ${model.modelName} do not let you set "${name}".`, {
        code: 'FIELD_NOT_WRITABLE', details: { path: `.${name}` }
      })
    }
  })
}
