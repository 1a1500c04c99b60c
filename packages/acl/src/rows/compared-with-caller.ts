/** Which properties of a model's own table rules compare with values of the caller. */
import type { ModelClass } from '@fastback/core'
import { rulesOf } from '@fastback/core/remote'
import { ownerKeys } from '../roles/owner-key.js'
import { tenantOf } from './narrowing.js'
import { isRecord } from './template.js'
import { readVariable } from './variables.js'

/**
 * Properties by which the rows of callers are found: those of the tenant, and of `rows` of the rules that allow, where
 * they are equal to a variable or among several.
 *
 * ```js
 * comparedWithCaller(Note) // ['ownerId']
 * ```
 */
export function comparedWithCaller (Model: ModelClass): string[] {
  const found = new Set<string>()
  const tenant = tenantOf(Model)
  if (tenant !== undefined) found.add(tenant.property)
  for (const acl of rulesOf(Model)) {
    const { rows, permission } = acl as { readonly rows?: unknown, readonly permission?: unknown }
    if (String(permission).toUpperCase() === 'DENY') continue
    if (rows === 'own') for (const key of [...ownerKeys(Model).named, ...ownerKeys(Model).foreign]) found.add(key)
    else collect(rows, found)
  }
  return [...found].filter(name => Model.compiled.propertyByName.has(name))
}

function collect (where: unknown, found: Set<string>): void {
  if (!isRecord(where)) return
  for (const [key, value] of Object.entries(where)) {
    if ((key === 'and' || key === 'or') && Array.isArray(value)) for (const each of value) collect(each, found)
    else if (isOfCaller(value)) found.add(key)
  }
}

/** `$now` is no caller's. */
function isOfCaller (value: unknown): boolean {
  const compared = isRecord(value) ? [value.eq, value.inq].flat() : [value]
  return compared.some(each => {
    const read = readVariable(each)
    return 'variable' in read && read.variable.of !== 'now'
  })
}
