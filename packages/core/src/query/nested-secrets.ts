/**
 * Rows of other models within a value (embedded relations, `{ type: 'Address' }`), asked about from outside. Their
 * hidden and protected members are never shown, so they can be neither named nor told from what matches (S-11, S-12,
 * S-78).
 */
import { hiddenInQuery } from '../errors.js'
import { holdsModel } from '../properties/nested-models.js'
import type { PropertyType } from '../properties/types.js'
import { isPlainObject, type ParseContext } from './parse-context.js'
import type { QueriedModels } from './queried-model.js'
import { isSpellingOf, queryNames } from './query-names.js'

/**
 * What of a value of this type the caller may see, as a function of the value; undefined where that is all of it.
 * Models may change until it is called.
 */
export function visiblePart (context: ParseContext, type: PropertyType): ((value: unknown) => unknown) | undefined {
  if (!context.outside || !isComposite(type) || !holdsModel(type)) return undefined
  const { registry } = context.model.Model
  return value => withoutSecrets(registry, type, value)
}

/**
 * Refuses a value to compare with that names a member which the caller may not see.
 * @throws RequestError 400 HIDDEN_PROPERTY_IN_QUERY
 */
export function refuseSecretMembers (context: ParseContext, type: PropertyType, value: unknown): void {
  if (!context.external || value === null || typeof value !== 'object' || !isComposite(type)) return
  eachMember(context.model.Model.registry, type, value, (modelName, secrets, name, isKnown) => {
    if (secrets.has(name) || (!isKnown && isSpellingOf(secrets, name, modelName))) {
      throw hiddenInQuery(modelName, 'where')
    }
  })
}

const isComposite = ({ kind }: PropertyType): boolean => kind === 'model' || kind === 'array' || kind === 'object'

/** The names of a nested model that nobody outside sees, whether it is reached by a path or within a value. */
function secretsOfNested (registry: QueriedModels, modelName: string): ReadonlySet<string> | undefined {
  const nested = registry.findModel(modelName)?.compiled
  return nested === undefined ? undefined : queryNames(nested).hiddenAndProtected
}

function withoutSecrets (registry: QueriedModels, type: PropertyType, value: unknown): unknown {
  if (type.kind === 'array' && type.items === undefined) return value
  const single = type.items ?? type
  if (Array.isArray(value)) return value.map(item => withoutSecrets(registry, single, item))
  if (type.kind === 'array') return withoutSecrets(registry, single, value)
  if (!isPlainObject(value) || !isComposite(type)) return value
  const secrets = type.kind === 'model' ? secretsOfNested(registry, type.model as string) : undefined
  const visible: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    if (secrets?.has(name) === true || name === '__proto__') continue
    const member = memberType(registry, type, name)
    visible[name] = member === undefined ? value[name] : withoutSecrets(registry, member, value[name])
  }
  return visible
}

type Visit = (modelName: string, secrets: ReadonlySet<string>, name: string, isKnown: boolean) => void

function eachMember (registry: QueriedModels, type: PropertyType, value: unknown, visit: Visit): void {
  if (type.kind === 'array' && type.items === undefined) return
  // A list may be compared with what is one row, and one row with what is a list.
  const single = type.items ?? type
  if (Array.isArray(value)) for (const item of value) eachMember(registry, single, item, visit)
  else if (type.kind === 'array') eachMember(registry, single, value, visit)
  else if (isPlainObject(value)) {
    const secrets = type.kind === 'model' ? secretsOfNested(registry, type.model as string) : undefined
    for (const name of Object.keys(value)) {
      const member = memberType(registry, type, name)
      if (secrets !== undefined) visit(type.model as string, secrets, name, member !== undefined)
      if (member !== undefined) eachMember(registry, member, value[name], visit)
    }
  }
}

function memberType (registry: QueriedModels, type: PropertyType, name: string): PropertyType | undefined {
  if (type.kind === 'model') return registry.findModel(type.model as string)?.compiled.propertyByName.get(name)?.type
  return type.members !== undefined && Object.hasOwn(type.members, name) ? type.members[name] : undefined
}
