/** Which properties of a row a condition depends on. */
import type { ModelClass } from '@fastback/core'
import { relationsOf } from '@fastback/core/remote'
import { isRecord } from './template.js'

/**
 * The properties that conditions name, and the keys of relations that they follow.
 *
 * ```js
 * namedIn(Note, [{ or: [{ ownerId: '$user.id' }, { 'project.isPublic': true }] }]) // ['ownerId', 'projectId']
 * ```
 * @param conditions as written; what is none names nothing
 */
export const namedIn = (Model: ModelClass, conditions: readonly unknown[]): string[] =>
  conditions.flatMap(condition => isRecord(condition)
    ? Object.entries(condition).flatMap(([key, value]) =>
      Array.isArray(value) && groups.includes(key) ? namedIn(Model, value) : namesOf(Model, key))
    : [])

const groups: readonly string[] = ['and', 'or', 'nor']

function namesOf (Model: ModelClass, key: string): readonly string[] {
  const [first = key] = key.split('.')
  return relationsOf(Model).get(first)?.joinKeys ?? [first]
}
