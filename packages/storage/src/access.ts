import { knownUsersIn } from '@fastback/core/remote'
import type { Users } from './upload/client-of.js'
import type { FileAccessContext, StorageOptions } from './settings.js'

/** Somebody outside who asks for something; undefined where code of the application asks on its own account. */
export interface Caller {
  readonly principal: FileAccessContext['principal']
}

/**
 * Whether a caller may have a container or file (storage.md, SD-13): by the rule of the application, and by the name of
 * the container where that is its owner's id.
 */
export async function mayHave (
  { fileAccess, containerOwner }: StorageOptions,
  caller: Caller | undefined,
  asked: Omit<FileAccessContext, 'principal'>,
  registry?: Users
): Promise<boolean> {
  if (caller === undefined) return true
  const { principal } = caller
  if (containerOwner !== undefined && !ownsContainer(containerOwner, principal, asked.container, registry)) return false
  return fileAccess === undefined || await fileAccess({ ...asked, principal }) === true
}

/** Whether anything has to be asked at all. */
export const hasOwnRules = ({ fileAccess, containerOwner }: StorageOptions): boolean =>
  fileAccess !== undefined || containerOwner !== undefined

/**
 * Whether a container is the caller's own, by its name. Users of several models have the same ids: an id alone is
 * nobody's then (security.md, S-95).
 */
function ownsContainer (
  containerOwner: NonNullable<StorageOptions['containerOwner']>,
  principal: FileAccessContext['principal'],
  container: string,
  registry: Users | undefined
): boolean {
  const userId = principal?.userId
  if (principal === undefined || userId === undefined || userId === null) return false
  const id = String(userId)
  const users = registry === undefined ? undefined : knownUsersIn(registry)
  const models = users?.models() ?? []
  const model = users?.modelOf(principal)
  if (containerOwner === 'principal') return model !== undefined && container === containerOf(model, id)
  if (container !== id) return false
  if (containerOwner !== 'userId') return model === containerOwner.model
  return models.length === 0 || (models.length === 1 && (model === undefined || model === models[0]))
}

/** The name of a user's container where that has the model's name. */
const containerOf = (model: string, id: string): string => `${model}-${id}`

/**
 * What is wrong with a rule for owners and the user models that there are; undefined: they fit.
 * @returns a sentence that says what to write
 */
export function ownerFault (
  containerOwner: StorageOptions['containerOwner'], models: readonly string[]
): string | undefined {
  if (containerOwner === undefined || models.length === 0) return undefined
  const names = models.map(name => `"${name}"`).join(', ')
  if (containerOwner === 'userId') {
    return models.length === 1
      ? undefined
      : `"containerOwner": "userId" does not say whose id it is, as ${names} have users of the same ids: write { "model": "${String(models[0])}" }, or "principal" for containers that are named "${containerOf(String(models[0]), '1')}".`
  }
  if (containerOwner !== 'principal') {
    const { model } = containerOwner
    return models.includes(model) ? undefined : `"containerOwner" names the model "${model}", which has no users: write one of ${names}.`
  }
  const unclear = models.find(name => models.some(other => other.startsWith(`${name}-`)))
  return unclear === undefined
    ? undefined
    : `"containerOwner": "principal" does not tell users of "${unclear}" from those of a model whose name begins with it: write { "model": "${unclear}" }.`
}
