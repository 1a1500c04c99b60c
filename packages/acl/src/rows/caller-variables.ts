/** Which properties of a caller the rules of an application name. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { rulesOf, sharedMethodsOf } from '@fastback/core/remote'
import { tenantOf } from './narrowing.js'
import { readVariable, type Variable } from './variables.js'

/**
 * The properties of users and tokens that rules of the models name.
 * @param stored rules that are rows of the ACL model
 */
export function namedVariables (registry: ModelRegistry, stored: readonly unknown[]): Variable[] {
  const found = new Map<string, Variable>()
  for (const Model of Object.values(registry.models)) collect(writtenFor(Model), found)
  collect(stored, found)
  return [...found.values()]
}

const writtenFor = (Model: ModelClass): unknown[] => [
  ...rulesOf(Model), tenantOf(Model)?.value,
  ...sharedMethodsOf(Model).flatMap(({ options: { acls } }) => Array.isArray(acls) ? acls as unknown[] : [])
]

function collect (written: unknown, found: Map<string, Variable>): void {
  if (typeof written === 'string') {
    const read = readVariable(written)
    if ('variable' in read && (read.variable.of === 'user' || read.variable.of === 'token')) found.set(written, read.variable)
  } else if (written !== null && typeof written === 'object') {
    for (const value of Object.values(written)) collect(value, found)
  }
}
