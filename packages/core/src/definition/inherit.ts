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
import { isUsual, mergeSetting, type MergePolicy } from './merge-policy.js'
import { namesOf, type OwnDefinition } from './normalise.js'
import type { ModelState } from '../interfaces/model-state.js'
import { holdsModel } from '../properties/nested-models.js'
import { resolveType } from '../properties/resolve-type.js'
import type { PropertyType } from '../properties/types.js'

/** Settings that describe one model and not its kind: they are not inherited. */
const ownOnly = new Set([
  'http',
  'base',
  'super',
  'description',
  'sql',
  'sqlite3',
  'mysql',
  'postgresql',
  'indexes',
  'excludeBaseProperties',
  'idInjection',
  'plural',
  'mixins'
])

/**
 * The settings object of a model, made once and kept: code of applications reads and extends it
 * (`Model.settings.acls.push(…)`, `Model.settings.hidden`). As in LoopBack, the parts of the definition that are not
 * properties stand in it, too.
 * @param policy how settings are merged, where `configureModelMerge` or the base's `getMergePolicy` says
 */
export function settingsFor (
  own: OwnDefinition, base: ModelSettings | undefined, policy?: MergePolicy
): ModelSettings {
  const usual = usualSettings(own, base)
  if (policy === undefined || base === undefined || isUsual(policy)) return usual
  // What a model lists of its own; an empty list is none.
  const { acls, hidden, protected: isProtected, relations, scopes } = own
  const listed = { acls: own.ownAcls ?? acls, hidden, protected: isProtected, relations, scopes }
  const declared = Object.entries(listed).filter(([, value]) => Object.keys(value).length > 0)
  const result: Record<string, unknown> = { ...usual }
  for (const [key, value] of [...Object.entries(own.settings), ...declared]) {
    if (neverMerged.has(key)) continue
    const merged = mergeSetting(policy, key, base[key], value)
    result[key] = key === 'hidden' || key === 'protected' ? unique(merged as string[]) : merged
  }
  for (const key of ['indexes', 'description']) {
    if (own.settings[key] === undefined && policy[key] !== undefined) result[key] = base[key]
  }
  return result
}

/** What a model says of itself alone. */
const neverMerged = new Set(
  ['base', 'super', 'plural', 'http', 'idInjection', 'excludeBaseProperties', 'configureModelMerge']
)

function usualSettings (own: OwnDefinition, base: ModelSettings | undefined): ModelSettings {
  const inherited = Object.fromEntries(Object.entries(base ?? {}).filter(([key]) => !ownOnly.has(key)))
  const names = (key: string): string[] => namesOf(base?.[key], () => `the base of "${own.name}", ${key}`)
  const recordOf = (key: string): Record<string, unknown> => ({ ...base?.[key] as Record<string, unknown> | undefined })
  return {
    ...inherited,
    ...own.settings,
    plural: own.plural ?? pluralize(own.name),
    base: own.base,
    idInjection: own.settings.idInjection ?? base?.idInjection ?? false,
    acls: aclsFor(own, { settings: base ?? {} }),
    hidden: unique([...names('hidden'), ...own.hidden]),
    protected: unique([...names('protected'), ...own.protected]),
    relations: { ...recordOf('relations'), ...own.relations },
    scopes: { ...recordOf('scopes'), ...own.scopes },
    mixins: own.mixins
  }
}

/** An object of the application's own form is inherited as it is, until rules are written. */
function aclsFor (own: OwnDefinition, base: { readonly settings: ModelSettings }): AclDefinition[] | object {
  if (own.ownAcls !== undefined) return own.ownAcls
  if (own.acls.length === 0 && hasOwnFormOfRules(base)) return base.settings.acls as object
  return [...rulesOf(base), ...own.acls]
}

/** The definition of a model with everything that it inherits. */
export function effectiveDefinition (state: ModelState): ModelDefinition {
  const { own, settings } = state
  const base = state.base?.definition
  const properties = withId(inheritProperties(own, base, state), settings)
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
  keepEmbeddedTypes(merged, own, state)
  return present<PropertyDefinition>(inOrder(merged, own))
}

/** Whether a definition among these names a property, and not only a relation that needs it. */
const isDeclared = (base: ModelState | undefined, name: string): boolean =>
  base !== undefined && ((base.own.properties[name] ?? undefined) !== undefined || isDeclared(base.base, name))

/** As in LoopBack: own properties, in their order, then inherited ones (an injected id is one), then implied ones. */
function inOrder<T> (merged: Readonly<Record<string, T>>, own: OwnDefinition): Record<string, T> {
  const names = unique([...Object.keys(own.properties), ...Object.keys(merged)])
  return Object.fromEntries(names.map(name => [name, merged[name] as T]))
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
    const location = { model: own.name, property: name }
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

/** Connected models get an `id` unless they have one or switch it off. */
function withId (
  properties: Record<string, PropertyDefinition>,
  settings: ModelSettings
): Record<string, PropertyDefinition> {
  if (settings.idInjection !== true || Object.values(properties).some(isId)) return properties
  return { ...properties, id: { ...properties.id, type: 'number', id: 1, generated: true, injected: true } }
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
