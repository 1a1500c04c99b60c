/**
 * From what a user wrote (JSON or TypeBox) to a model's own definition: shorthands expanded, rules of version 3.0
 * checked. Inheritance is applied later, in `inherit.ts`, because a base model may still change.
 */
import { Kind, type TObject, type TSchema } from '@sinclair/typebox'
import { InvalidDefinitionError } from '../errors.js'
import { nearest } from '../nearest.js'
import { relationWithoutEmpty } from './empty-texts.js'
import { flattenDefinition } from './flatten.js'
import { resolveType } from '../properties/resolve-type.js'
import { typeAlone } from '../properties/type-location.js'
import { apart } from './typebox-settings.js'
import { takesNull } from '../properties/typebox-unions.js'
import { relationAcls } from './relation-acls.js'
import type {
  AclDefinition,
  ModelDefinitionInput,
  ModelSettings,
  PropertyDefinition,
  RelationDefinition
} from './definition.js'
import { relationTypes } from './vocabulary/relation.js'

/** A model's own part of its definition: nothing inherited yet. */
export interface OwnDefinition {
  readonly name: string
  readonly base: string | undefined
  readonly plural: string | undefined
  readonly properties: Record<string, PropertyDefinition | null>
  readonly relations: Record<string, RelationDefinition | null>
  readonly acls: AclDefinition[]
  /** `acls` that is no list of rules, as it was written: the application reads it itself. */
  readonly ownAcls: object | undefined
  readonly methods: Record<string, unknown>
  readonly mixins: Record<string, unknown>
  readonly scopes: Record<string, unknown>
  readonly hidden: string[]
  readonly protected: string[]
  readonly settings: ModelSettings
  readonly source: string | undefined
}

const structural = new Set([
  'name',
  'properties',
  'relations',
  'acls',
  'methods',
  'mixins',
  'scopes',
  'hidden',
  'hiddenProperties',
  'protected',
  'protectedProperties',
  'plural',
  'base',
  '$schema'
])

/**
 * Normalises one definition.
 * @param source where it was written (`common/models/note.json`), for messages
 * @param root the model that those extend which name no base
 * @throws FBK_CORE_INVALID_DEFINITION naming source, model and key
 */
export function normaliseDefinition (
  written: ModelDefinitionInput, source?: string, root?: string
): OwnDefinition {
  const input = flattenDefinition(written, source)
  const { name } = input
  const at = (key: string): string => `${source === undefined ? '' : `${source}: `}model "${String(name)}", ${key}`
  if (typeof name !== 'string' || name === '') {
    throw new InvalidDefinitionError(source ?? 'model definition', 'a model needs a "name"')
  }
  if (name === 'File' && input.plural === undefined) {
    throw new InvalidDefinitionError(
      at('name'),
      'a model named "File" clashes with the built-in file type; rename it, and set "plural" to "files" to keep its paths'
    )
  }
  if (input.plural !== undefined && input.plural !== null && typeof input.plural !== 'string') {
    throw new InvalidDefinitionError(at('plural'), 'must be text')
  }
  const { strict = strictOf(input.properties), ...rest } = Object.fromEntries(
    Object.entries(input).filter(([key]) => !structural.has(key))
  )
  const properties = propertiesOf(input.properties, at, source, name)
  const relations = relationsOf(input.relations, at)
  const scopes = recordOf(input.scopes, () => at('scopes'))
  const ownAcls = ownFormOf(input.acls)
  const settings: ModelSettings =
    strict === undefined ? rest : { ...rest, strict: strict as NonNullable<ModelSettings['strict']> }
  return {
    name,
    base: baseOf(input, settings) ?? root,
    plural: typeof input.plural === 'string' ? input.plural : undefined,
    properties,
    relations,
    acls: [
      ...ownAcls === undefined ? aclsOf(input.acls, () => at('acls')) : [],
      ...Object.entries(properties).flatMap(([name, property]) => propertyAcls(name, property?.acls, at)),
      ...Object.entries(relations).flatMap(([name, relation]) =>
        relationAcls(name, relation, at(`relation "${name}"`))
      ),
      ...Object.entries(scopes).flatMap(([name, scope]) => relationAcls(name, scope, at(`scope "${name}"`)))
    ],
    ownAcls,
    methods: methodsOf(input.methods, at),
    mixins: recordOf(input.mixins, () => at('mixins')),
    scopes,
    // LoopBack reads both names of each.
    hidden: [input.hidden, input.hiddenProperties].flatMap(names => namesOf(names, () => at('hidden'))),
    protected: [input.protected, input.protectedProperties].flatMap(names => namesOf(names, () => at('protected'))),
    settings,
    source
  }
}

/** The base as it was written: a name or a class. */
export function baseGiven (written: ModelDefinitionInput): unknown {
  const { base, super: parent } = flattenDefinition(written) as { base?: unknown, super?: unknown }
  return base ?? parent
}

/** A TypeBox object is closed unless it says otherwise; LoopBack's definitions are open. */
function strictOf (properties: ModelDefinitionInput['properties']): boolean | undefined {
  if (properties === undefined || !isTypeBoxObject(properties)) return undefined
  return properties.additionalProperties !== true
}

function baseOf (input: ModelDefinitionInput, settings: ModelSettings): string | undefined {
  const base = input.base ?? settings.base ?? settings.super
  if (typeof base === 'function') return (base as { modelName?: string }).modelName
  // A definition stands for the model of its name.
  if (base !== null && typeof base === 'object') return (base as { name?: string }).name
  return typeof base === 'string' ? base : undefined
}

function propertiesOf (
  input: ModelDefinitionInput['properties'],
  at: (key: string) => string,
  source: string | undefined,
  model: string
): Record<string, PropertyDefinition | null> {
  if (input === undefined) return {}
  if (Array.isArray(input)) {
    throw new InvalidDefinitionError(at('properties'), 'must be an object, { "title": "string" }, and is a list')
  }
  const typebox = isTypeBoxObject(input) ? input : undefined
  const written = (typebox?.properties ?? input) as Record<string, unknown>
  const result: Record<string, PropertyDefinition | null> = {}
  for (const [name, value] of Object.entries(written)) {
    checkPropertyName(name, at)
    if (value === null || value === false) {
      result[name] = null
      continue
    }
    const definition =
      typebox !== undefined
        ? fromTypeBox(value as TSchema, typebox.required?.includes(name) === true)
        : propertyDefinition(value)
    // Resolved here only to report a bad type with its place; the compiled property resolves it again.
    resolveType(definition.type, { model, property: name, ...typeAlone, ...(source === undefined ? {} : { source }) })
    result[name] = definition
  }
  return result
}

/**
 * Names that cannot be properties: a dot would be a path in filters (specification, Versioning 7), the others reach a
 * prototype.
 */
export function checkPropertyName (name: string, at: (key: string) => string): void {
  if (name.includes('.')) {
    throw new InvalidDefinitionError(
      at(`property "${name}"`),
      'property names must not contain a dot; use another character such as an underscore'
    )
  }
  if (name === '__proto__' || name === 'constructor') {
    throw new InvalidDefinitionError(at(`property "${name}"`), 'this name cannot be used for a property')
  }
}

/** Expands the short form (`"title": "string"`, `"tags": ["string"]`) of one property. */
export function propertyDefinition (value: unknown): PropertyDefinition {
  if (isTypeBoxSchema(value)) return fromTypeBox(value, false)
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    if ('type' in value) return { ...value as PropertyDefinition }
    return Object.keys(value).length === 0 || 'id' in value || 'required' in value
      ? { type: 'any', ...value }
      : { type: value }
  }
  return { type: value }
}

function fromTypeBox (schema: TSchema, required: boolean): PropertyDefinition {
  const { schema: type, settings } = apart(schema)
  // What may be null has no value where it is: a column takes it, and no validation asks for more.
  return { ...settings, type, required: required && !takesNull(type) }
}

const isTypeBoxSchema = (value: unknown): value is TSchema =>
  value !== null && typeof value === 'object' && Kind in value
const isTypeBoxObject = (value: unknown): value is TObject => isTypeBoxSchema(value) && value[Kind] === 'Object'

function relationsOf (input: unknown, at: (key: string) => string): Record<string, RelationDefinition | null> {
  const result: Record<string, RelationDefinition | null> = {}
  for (const [name, value] of Object.entries(recordOf(input, () => at('relations')))) {
    if (value === null || value === false) { result[name] = null; continue }
    const relation = value as RelationDefinition
    if (!relationTypes.includes(relation.type)) {
      const { type } = relation as { type?: unknown }
      const written = type === undefined ? 'it has no type; write one' : `its type ${JSON.stringify(type)} is none`
      throw new InvalidDefinitionError(
        at(`relation "${name}"`),
        `${written} of ${relationTypes.join(', ')}.${typeof type === 'string' ? nearest(type, relationTypes) : ''}`
      )
    }
    result[name] = relationWithoutEmpty(relation)
  }
  return result
}

/** Methods are an object by name, or LoopBack's list of objects with a name. */
function methodsOf (input: unknown, at: (key: string) => string): Record<string, unknown> {
  if (!Array.isArray(input)) return recordOf(input, () => at('methods'))
  return Object.fromEntries(input.map((method: { name?: string }) => {
    if (typeof method?.name !== 'string') {
      throw new InvalidDefinitionError(at('methods'), 'every method of a list needs a "name"')
    }
    return [method.name, method]
  }))
}

function recordOf (value: unknown, at: () => string): Record<string, unknown> {
  if (value === undefined || value === null) return {}
  if (Array.isArray(value) && value.length === 0) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new InvalidDefinitionError(at(), 'must be an object')
  return { ...value }
}

/**
 * An object that is no rule. Whether the application reads it is not known before it starts: its code may come later.
 */
const ownFormOf = (value: unknown): object | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !isRule(value) &&
  Object.keys(value).length > 0 && !Object.values(value).some(isRule)
    ? value
    : undefined

const isRule = (value: unknown): boolean => value !== null && typeof value === 'object' && 'permission' in value

/** A list; one rule may stand for a list of one, and an empty object says nothing, as an empty list. */
function aclsOf (value: unknown, at: () => string): AclDefinition[] {
  if (value === undefined || value === null) return []
  const isEmpty = typeof value === 'object' && Object.keys(value).length === 0
  const rows: unknown[] = isEmpty ? [] : isRule(value) ? [value] : Array.isArray(value) ? value : [null]
  if (rows.some(row => row === null || typeof row !== 'object')) {
    throw new InvalidDefinitionError(at(), 'must be a list of rules')
  }
  return [...rows as AclDefinition[]]
}

/** Rules that stand in a property decide about methods that are called like it. */
const propertyAcls = (property: string, acls: unknown, at: (key: string) => string): AclDefinition[] =>
  aclsOf(acls, () => at(`property "${property}", acls`)).map(acl => ({ ...acl, property }))

/** `hidden` and `protected`: a list of names, or an object of true. */
export function namesOf (value: unknown, at: () => string): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.map(String)
  if (typeof value === 'object') return Object.entries(value).filter(([, on]) => on === true).map(([name]) => name)
  throw new InvalidDefinitionError(at(), 'must be a list of property names')
}
