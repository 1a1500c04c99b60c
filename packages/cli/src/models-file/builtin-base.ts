/** What a model extends that has types of its own: a model of the framework's packages, or a root. */
import type { BuiltinModelTypes, ModelClass } from '@fastback/core'
import { isPersisted } from '@fastback/core/connector'

/**
 * The models whose types the packages have. Those of `@fastback/oauth2`, which not every application has, are written
 * out as the application's own are; what is written wins.
 */
const typed: Readonly<Record<Exclude<keyof BuiltinModelTypes, `OAuth${string}`>, true>> = {
  User: true,
  AccessToken: true,
  Application: true,
  Email: true,
  ACL: true,
  Role: true,
  RoleMapping: true,
  Scope: true
}

/** The nearest of them: of one of the application's own that has such a name it is the one that it extends. */
export function builtinBase (Model: ModelClass): ModelClass | undefined {
  for (let each: ModelClass | undefined = Model; each !== undefined; each = each.base) {
    if (each.definition.source === undefined && Object.hasOwn(typed, each.modelName)) return each
  }
  return undefined
}

/** The name that the type of a definition gives as its base; undefined for what connected models extend. */
export function baseName (Model: ModelClass): string | undefined {
  const builtin = builtinBase(Model)
  if (builtin !== undefined) return builtin.modelName
  if (isPersisted(Model)) return undefined
  for (let each: ModelClass | undefined = Model; each !== undefined; each = each.base) {
    if (each.modelName === 'KeyValueModel') return 'KeyValueModel'
  }
  return 'Model'
}
