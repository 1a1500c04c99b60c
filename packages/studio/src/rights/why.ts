/** Why a caller may or may not call a method: `rights/why.json`. */
import { explainAccess, type Explanation } from '@fastback/acl'
import { RequestError, type ModelRegistry } from '@fastback/core'
import { definitionSourcesIn } from '@fastback/core/remote'
import type { Why, WrittenRule } from '@fastback/ui/contracts'
import { Type, type Static } from '@sinclair/typebox'
import { modelNamed } from '../context.js'

const Name = Type.String({ minLength: 1, maxLength: 200 })

export const WhyQuery = Type.Object({
  model: Name,
  method: Name,
  user: Type.Optional(Name),
  userModel: Type.Optional(Name),
  id: Type.Optional(Name)
})

/** @throws RequestError 404 for a model or method that is not there */
export async function whyOf (
  registry: ModelRegistry, { model, method, user, userModel, id }: Static<typeof WhyQuery>
): Promise<Why> {
  const Model = modelNamed(registry, model)
  const explanation = await explained(registry, { model, method, id, userId: user, principalType: userModel })
  const sources = await definitionSourcesIn(registry).of()
  const written = (rule: Readonly<Record<string, unknown>>): WrittenRule => {
    const source = sources.rule(Model, rule)
    return { rule, ...(source === undefined ? {} : { source }) }
  }
  const { allowed, permission, accessType, reason, rule, considered, rows } = explanation
  return {
    allowed,
    permission,
    method: explanation.method,
    accessType,
    reason,
    ...(rule === undefined ? {} : { rule: written(rule) }),
    considered: considered.map(({ rule, source: kind, fits, effect }) =>
      ({ ...written(rule), kind, fits, ...(effect === undefined ? {} : { effect }) })),
    ...(rows === undefined ? {} : { rows: withoutUndefined(rows) })
  } as Why
}

async function explained (
  registry: ModelRegistry, question: Parameters<typeof explainAccess>[1]
): Promise<Explanation> {
  try {
    return await explainAccess(registry, question)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'FBK_ACL_UNKNOWN_METHOD') throw error
    throw new RequestError(404, 'The model shares no such method', { code: 'METHOD_NOT_FOUND' })
  }
}

const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
