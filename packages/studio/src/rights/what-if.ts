/** What other rules of a model would change: `POST rights/what-if`. Nothing is written. */
import { aclService } from '@fastback/acl'
import { accessMatrix, listRule, ruleOf, userIdOf, voidParts, withRules } from '@fastback/acl/review'
import type { AclDefinition, ModelClass, ModelRegistry } from '@fastback/core'
import { definitionSourcesIn } from '@fastback/core/remote'
import type { ChangedLine, RightsLine, WhatIf } from '@fastback/ui/contracts'
import { Type, type Static } from '@sinclair/typebox'
import { modelNamed } from '../context.js'
import { comparedRows } from './compared-rows.js'
import { publishedMethods, rightsLine } from './matrix.js'

const Name = Type.String({ minLength: 1, maxLength: 200 })

export const WhatIfBody = Type.Object({
  model: Name,
  rules: Type.Array(Type.Object({}, { additionalProperties: true }), { maxItems: 500 }),
  user: Type.Optional(Name),
  userModel: Type.Optional(Name)
}, { additionalProperties: false })

export interface RowsWanted {
  /** Whether rows are compared: they are shown past the rights of who asks. */
  readonly wanted: boolean
  /** What rows of a model are called by. */
  readonly titles: Readonly<Record<string, string>>
}

/** @throws RequestError 404 for a model that is not there */
export async function whatIf (
  registry: ModelRegistry, { model, rules, user, userModel }: Static<typeof WhatIfBody>, { wanted, titles }: RowsWanted
): Promise<WhatIf> {
  const Model = modelNamed(registry, model)
  const tried = withRules(Model, rules as AclDefinition[])
  const methods = publishedMethods(registry).get(Model) ?? []
  const before = (await accessMatrix(Model, methods)).map(rightsLine)
  const after = (await accessMatrix(tried, methods)).map(rightsLine)
  const source = (await definitionSourcesIn(registry).of()).model(Model, ['acls'])
  const question = {
    userId: userIdOf(aclService(registry), { userId: user, principalType: userModel }), principalType: userModel
  }
  return {
    changed: changedLines(before, after),
    ...(wanted
      ? await rowsOf(Model, tried, question, titles[model])
      : { withoutRows: 'rows are compared for who develops the application only' }),
    faults: rules.flatMap((rule, i) =>
      voidParts(registry, ruleOf(rule, true), tried).map(({ key, says }) => ({ rule: i, key, says }))),
    json: JSON.stringify({ acls: rules }, null, 2),
    ...(source === undefined ? {} : { source })
  }
}

async function rowsOf (
  Model: ModelClass, tried: ModelClass, question: Parameters<typeof listRule>[1], title: string | undefined
): Promise<Pick<WhatIf, 'rows' | 'withoutRows'>> {
  if (Model.dataSource === null || Model.dataSource === undefined) return { withoutRows: 'the model keeps no rows' }
  try {
    return { rows: await comparedRows(Model, await listRule(Model, question), await listRule(tried, question), title) }
  } catch (err) {
    Model.registry.log.debug({ err, model: Model.modelName }, 'rows by other rules could not be counted')
    return { withoutRows: 'the rows could not be counted' }
  }
}

/** Lines that differ, those that are only in one of both as well; what nobody may do is no line. */
function changedLines (before: readonly RightsLine[], after: readonly RightsLine[]): ChangedLine[] {
  const allowed = (lines: readonly RightsLine[]): Map<string, RightsLine> =>
    new Map(lines.filter(({ permission }) => permission !== 'DENY').map(line => [`${line.method} ${line.role}`, line]))
  const [was, is] = [allowed(before), allowed(after)]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap(key => {
    const [old, next] = [was.get(key), is.get(key)]
    const line = old ?? next
    if (line === undefined || JSON.stringify(old) === JSON.stringify(next)) return []
    const { method, role } = line
    return [{
      method, role, ...(old === undefined ? {} : { before: old }), ...(next === undefined ? {} : { after: next })
    }]
  })
}
