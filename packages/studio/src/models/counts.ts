/** How many rows models have, as far as the caller may count them: `counts.json`. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { accessReviewIn, countRows } from '@fastback/core/remote'
import { routedMethods } from '@fastback/rest/published'
import type { Counts } from '@fastback/ui/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Milliseconds that counting may take; what is counted by then is told. */
const patience = 1_500

/** Rows by model, counted by the rules of the caller, several models at once. */
export async function countsFor (
  registry: ModelRegistry, request: FastifyRequest, reply: FastifyReply
): Promise<Counts> {
  const found: Record<string, number> = {}
  const counting = routedMethods(registry).filter(({ method }) => method.builtin === 'count')
    .map(async ({ method }) => {
      try {
        const { mayCall } = accessReviewIn(registry)
        if (await mayCall?.(method, request, reply) === false) return
        found[method.modelName] = await countByRules(registry, method.model, request)
      } catch (err) {
        registry.log.debug({ err, model: method.modelName }, 'the rows of a model were not counted')
      }
    })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => { timer = setTimeout(resolve, patience) })
  await Promise.race([Promise.all(counting), late])
  clearTimeout(timer)
  return { ...found }
}

async function countByRules (registry: ModelRegistry, Model: ModelClass, request: FastifyRequest): Promise<number> {
  const { as } = accessReviewIn(registry)
  const { accessToken = null } = request as { readonly accessToken?: unknown }
  const models = as?.({ token: accessToken }) as Record<string, { count (): Promise<number> }> | undefined
  return models === undefined
    ? await countRows(Model.compiled, {}, { notify: false })
    : await (models[Model.modelName] as { count (): Promise<number> }).count()
}
