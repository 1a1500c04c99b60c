/** Routes of relations that the rules of the model do not let the caller read, or set (`fields`). */
import { RequestError, type MaybePromise, type ModelClass, type SharedMethod } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { relationsOf } from '@fastback/core/remote'
import type { FastifyRequest } from 'fastify'
import { refusal } from '../errors.js'

/**
 * Refuses a route of a relation that is not among the properties and relations of the caller: what include does not
 * show is not shown in another way. Of a route by way of a row in between both relations count.
 * @throws RequestError as for a method that is denied; 403 FIELD_NOT_WRITABLE where the route writes
 */
export function mustHaveRelation (
  { model, relation, nested }: SharedMethod, isRead: boolean, request: FastifyRequest
): MaybePromise<void> {
  const { id } = request.params as { id?: unknown }
  const name = relation ?? nested?.relation.name
  const own = name === undefined ? undefined : mustHave(model, name, isRead, id, request)
  const target = nested?.relation.target()
  if (nested === undefined || target === undefined) return own
  const inner = [...relationsOf(target).values()].find(each =>
    each.methods().some(method => method.name === nested.method.name))
  if (inner === undefined) return own
  const way = chain(own, () => isRead ? undefined : mustHave(model, nested.relation.name, true, id, request))
  return chain(way, () => mustHave(target, inner.name, isRead, id, request))
}

function mustHave (
  model: ModelClass, name: string, isRead: boolean, id: unknown, request: FastifyRequest
): MaybePromise<void> {
  const { rowRules } = request
  const { compiled } = model
  if (rowRules?.concerns(compiled) !== true) return
  return chain(rowRules.of(compiled, isRead ? 'read' : 'update'), rule => {
    if (isRead && rule?.reads?.(name) === false) throw refusal(model, request.accessToken !== null, id)
    if (!isRead && rule?.writes?.(name) === false) {
      throw new RequestError(403, `The rules of ${model.modelName} do not let you set "${name}".`, {
        code: 'FIELD_NOT_WRITABLE', details: { path: `.${name}` }
      })
    }
  })
}
