/** Who may do what by the rules of the application: `rights.json`. */
import { accessMatrix, type MatrixLine } from '@fastback/acl/review'
import type { ModelClass, ModelRegistry, SharedMethod } from '@fastback/core'
import { definitionSourcesIn, rulesOf } from '@fastback/core/remote'
import { routedMethods } from '@fastback/rest/published'
import type { ModelRights, Rights, RightsLine } from '@fastback/ui/contracts'

/** @param enforced whether access control is on at all */
export async function rightsOf (registry: ModelRegistry, enforced: boolean): Promise<Rights> {
  const sources = await definitionSourcesIn(registry).of()
  const models: ModelRights[] = []
  for (const [Model, methods] of publishedMethods(registry)) {
    const lines = await accessMatrix(Model, methods, { refused: true })
    models.push({
      model: Model.modelName,
      lines: lines.map(rightsLine),
      rules: rulesOf(Model).map(acl => {
        const rule = { ...acl }
        const source = sources.rule(Model, rule)
        return { rule, ...(source === undefined ? {} : { source }) }
      })
    })
  }
  models.sort((a, b) => a.model < b.model ? -1 : 1)
  return { enforced, roles: rolesIn(models), models }
}

/** Methods that have routes, by model. */
export function publishedMethods (registry: ModelRegistry): Map<ModelClass, SharedMethod[]> {
  const byModel = new Map<ModelClass, Map<string, SharedMethod>>()
  for (const { method } of routedMethods(registry)) {
    const methods = byModel.get(method.model) ?? new Map<string, SharedMethod>()
    byModel.set(method.model, methods.set(method.fullName, method))
  }
  return new Map([...byModel].map(([Model, methods]) => [Model, [...methods.values()]]))
}

export const rightsLine = ({ model: _, ...line }: MatrixLine): RightsLine => line as RightsLine

const first = ['$everyone', '$unauthenticated', '$authenticated', '$owner']

function rolesIn (models: readonly ModelRights[]): string[] {
  const named = new Set(models.flatMap(({ lines }) => lines)
    .filter(({ role, permission }) => permission !== 'DENY' || !first.includes(role))
    .map(({ role }) => role))
  const known = first.filter(role => named.has(role))
  const others = [...named].filter(role => !first.includes(role) && role !== 'nobody').sort()
  return [...known, ...others]
}
