/** Applies inheritance: a model's own definition over that of the model it extends. */
import { pluralize } from 'inflection'
import type {
  AclDefinition,
  ModelDefinition,
  ModelSettings,
  PropertyDefinition,
  RelationDefinition
} from './definition.js'
import { hasOwnFormOfRules, rulesOf } from './access-rules.js'
import { mergeSetting, usualPolicy, type MergePolicy } from './merge-policy.js'
import { namesOf, type OwnDefinition } from './normalise.js'
import type { ModelState } from '../interfaces/model-state.js'
import { holdsModel } from '../properties/nested-models.js'
import { withSoftDelete } from './soft-delete-property.js'
import { withVersion } from './version-property.js'
import { resolveType } from '../properties/resolve-type.js'
import { typeAlone } from '../properties/type-location.js'
import type { PropertyType } from '../properties/types.js'

/**
 * Settings that describe one model and not its kind: they are not inherited. LoopBack inherits them, too; two models
 * would then share a path, of which only one can be asked, and a mixin would be applied twice to a model, its own hooks
 * and those of its base.
 */
const ownOnly = new Set(['http', 'deprecated', 'plural', 'base', 'super', 'excludeBaseProperties', 'idInjection', 'mixins'])

/** What a model says of itself alone, whatever the merge policy. */
const neverMerged = new Set([...ownOnly, 'configureModelMerge'])

/**
 * The settings object of a model, made once and kept: code of applications reads and extends it
 * (`Model.settings.acls.push(…)`, `Model.settings.hidden`). As in LoopBack, the parts of the definition that are not
 * properties stand in it, too, and what the base says is merged with what the model says: members with members, lists
 * one after the other. `null` drops what would be inherited.
 * @param policy how settings are merged, where `configureModelMerge` or the base's `getMergePolicy` says
 */
export function settingsFor (
  own: OwnDefinition, base: ModelSettings = {}, policy: MergePolicy = usualPolicy
): ModelSettings {
  const result: Record<string, unknown> =
    Object.fromEntries(Object.entries(base).filter(([key]) => !ownOnly.has(key)))
  for (const [key, value] of Object.entries(own.settings)) {
    result[key] = neverMerged.has(key) ? value : mergeSetting(policy, key, base[key], value)
  }
  const names = (key: 'hidden' | 'protected'): string[] => unique(mergeSetting(
    policy, key, namesOf(base[key], () => `the base of "${own.name}", ${key}`), unlessEmpty(own[key])) as string[])
  const record = (key: 'relations' | 'scopes'): unknown =>
    mergeSetting(policy, key, { ...base[key] as object | undefined }, unlessEmpty(own[key]))
  return {
    ...result,
    plural: own.plural ?? pluralize(own.name),
    base: own.base,
    idInjection: own.settings.idInjection ?? base.idInjection ?? false,
    acls: aclsFor(own, base, policy),
    hidden: names('hidden'),
    protected: names('protected'),
    relations: record('relations'),
    scopes: record('scopes'),
    mixins: own.mixins
  }
}

/** A part of a definition that says nothing is as if it were not there. */
const unlessEmpty = <T extends object>(part: T): T | undefined => Object.keys(part).length === 0 ? undefined : part

/** An object of the application's own form is inherited as it is, until rules are written. */
function aclsFor (own: OwnDefinition, settings: ModelSettings, policy: MergePolicy): AclDefinition[] | object {
  if (own.ownAcls !== undefined) return own.ownAcls
  const base = { settings }
  if (own.acls.length === 0 && hasOwnFormOfRules(base)) return settings.acls as object
  return [...mergeSetting(policy, 'acls', rulesOf(base), unlessEmpty(own.acls)) as AclDefinition[]]
}

/** The definition of a model with everything that it inherits. */
export function effectiveDefinition (state: ModelState): ModelDefinition {
  const { own, settings } = state
  const base = state.base?.definition
  const properties = withSoftDelete(
    withVersion(withId(inheritProperties(own, base, state), state), settings), settings
  )
  const listed = (key: string): string[] => namesOf(settings[key], () => `model "${own.name}", ${key}`)
  return {
    name: own.name,
    base: state.base?.own.name,
    plural: settings.plural as string,
    properties,
    relations: present<RelationDefinition>({
      ...(settings.relations as Record<string, RelationDefinition>),
      ...Object.fromEntries(state.chain().flatMap(each => [...each.lateRelations]))
    }),
    acls: rulesOf(state),
    methods: { ...base?.methods, ...own.methods },
    mixins: own.mixins,
    scopes: settings.scopes as Record<string, unknown>,
    scope: settings.scope,
    // Settings that came later may have the forms of definitions.
    hidden: unique([...listed('hidden'), ...listed('hiddenProperties'), ...flagged(properties, 'hidden')]),
    protected: unique([...listed('protected'), ...listed('protectedProperties'), ...flagged(properties, 'protected')]),
    idInjection: settings.idInjection === true,
    settings,
    source: own.source
  }
}

function inheritProperties (
  own: OwnDefinition,
  base: ModelDefinition | undefined,
  state: ModelState
): Record<string, PropertyDefinition> {
  const excluded = own.settings.excludeBaseProperties ?? []
  const ownHasId = Object.values(own.properties).some(isId)
  const inherited = Object.entries(base?.properties ?? {}).filter(
    ([name, definition]) =>
      !excluded.includes(name) &&
      !(isId(definition) && (ownHasId || (own.settings.idInjection === false && definition.injected === true)))
  )
  const merged: Record<string, PropertyDefinition | null> = Object.fromEntries(inherited)
  // What relations need (an index, a default of []) stands under what is declared; what those of the base need stands
  // under what a relation of the model itself does, which may lead elsewhere.
  for (const [name, definition] of state.implied) {
    const known = merged[name]
    merged[name] = isDeclared(state.base, name) ? { ...definition, ...known } : { ...known, ...definition }
  }
  for (const [name, definition] of Object.entries(own.properties)) {
    merged[name] = definition === null ? null : { ...(merged[name] ?? {}), ...definition }
  }
  for (const [name, type] of state.keyTypes) {
    const property = merged[name] ?? undefined
    if (property !== undefined) merged[name] = { ...property, type }
  }
  keepEmbeddedTypes(merged, own, state)
  return present<PropertyDefinition>(inOrder(merged, inherited.map(([name]) => name), state))
}

/** Whether a definition among these names a property, and not only a relation that needs it. */
const isDeclared = (base: ModelState | undefined, name: string): boolean =>
  base !== undefined && ((base.own.properties[name] ?? undefined) !== undefined || isDeclared(base.base, name))

/**
 * As in LoopBack: declared properties, in their order, then inherited ones (an injected id is one), then those that
 * mixins and other code added, then implied ones.
 */
function inOrder<T> (
  merged: Readonly<Record<string, T>>, inherited: readonly string[], { own, lateProperties }: ModelState
): Record<string, T> {
  const declared = Object.keys(own.properties).filter(name => !lateProperties.has(name))
  const names = unique([...declared, ...inherited, ...lateProperties, ...Object.keys(merged)])
  return Object.fromEntries(names.filter(name => Object.hasOwn(merged, name)).map(name => [name, merged[name] as T]))
}

/**
 * Embedded relations may keep their rows in a property that only says "object" or "array": what is in it are rows of
 * the related model all the same.
 */
function keepEmbeddedTypes (
  merged: Record<string, PropertyDefinition | null>,
  own: OwnDefinition,
  state: ModelState
): void {
  for (const [name, implied] of state.implied) {
    const property = merged[name]
    const location = { model: own.name, property: name, ...typeAlone }
    if (
      property === null ||
      property === undefined ||
      implied.type === undefined ||
      !holdsModel(resolveType(implied.type, location))
    ) { continue }
    if (isFreeForm(resolveType(property.type, location))) merged[name] = { ...property, type: implied.type }
  }
}

const isFreeForm = ({ kind, items, members }: PropertyType): boolean =>
  kind === 'any' ||
  (kind === 'object' && members === undefined) ||
  (kind === 'array' && (items === undefined || isFreeForm(items)))

/** Connected models get an `id` unless they have one or switch it off; it stands before what code added. */
function withId (
  properties: Record<string, PropertyDefinition>,
  { settings, lateProperties }: ModelState
): Record<string, PropertyDefinition> {
  if (settings.idInjection !== true || Object.values(properties).some(isId)) return properties
  const id: PropertyDefinition = { ...properties.id, type: 'number', id: 1, generated: true, injected: true }
  if (properties.id !== undefined) return { ...properties, id }
  const entries = Object.entries(properties)
  const isLate = ([name]: readonly [string, unknown]): boolean => lateProperties.has(name)
  return Object.fromEntries([...entries.filter(each => !isLate(each)), ['id', id], ...entries.filter(isLate)])
}

const isId = (definition: PropertyDefinition | null | undefined): boolean =>
  definition?.id !== undefined && definition.id !== false && definition.id !== 0

function flagged (properties: Record<string, PropertyDefinition>, flag: 'hidden' | 'protected'): string[] {
  return Object.entries(properties).filter(([, definition]) => definition[flag] === true).map(([name]) => name)
}

const unique = (names: string[]): string[] => [...new Set(names)]

/** Drops entries that a child set to null to get rid of what it inherits. */
function present<T> (entries: Record<string, T | null>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter((entry): entry is [string, T] => entry[1] !== null))
}
