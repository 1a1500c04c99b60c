/**
 * Finds what in a definition cannot be meant as it is written: keys that nothing reads, and values of another kind than
 * their key has. The vocabulary is the one list of keys; types, JSON Schemas for editors and the reference come from
 * it, too.
 */
import type { TObject, TSchema } from '@sinclair/typebox'
import { nearest } from '../../nearest.js'
import { transformKeys } from '../../properties/text-transform.js'
import { apart } from '../typebox-settings.js'
import { optionsFault } from '../../contracts/check-options.js'
import { accessTypes, AclVocabulary, permissions } from './acl.js'
import { connectorBlocks, featuresToCome, unreadOf } from './kinds.js'
import { ArgumentVocabulary, MethodVocabulary } from './method.js'
import { PropertyVocabulary } from './property.js'
import { RelationOptionsVocabulary, RelationVocabulary } from './relation.js'
import { DefinitionVocabulary, SettingsVocabulary } from './settings.js'

/** Something in a definition that cannot be meant. */
export interface Fault {
  /** Where: `property "title", requird`. */
  readonly at: string
  /** A sentence without its subject: `is not known. Did you mean "required"?` */
  readonly says: string
  /** Whether tools write it everywhere: open definitions are not told of it. */
  readonly isOfTools?: boolean
  /**
   * `fatal`: nothing sensible can be meant. `mistake`: most likely something else is meant; LoopBack runs such a
   * definition. `foreign`: nothing of the house reads it; a mixin or a component of the application may.
   */
  readonly kind: 'fatal' | 'mistake' | 'foreign'
}

type Written = Readonly<Record<string, unknown>>

/** Made once: of two hundred keys, for each model, it was a thirtieth of a start. */
const definitionKeys = { ...DefinitionVocabulary.properties, ...SettingsVocabulary.properties }

/**
 * The faults of one definition, whose `options` and `settings` are at its top already.
 *
 * ```js
 * definitionFaults({ name: 'Note', properties: { title: { type: 'string', requird: true } } })
 * // [{ at: 'property "title", requird', says: 'is not known. Did you mean "required"?', kind: 'mistake' }]
 * ```
 */
export function definitionFaults (definition: Written): Fault[] {
  return [
    ...keyFaults(definition, definitionKeys, '', true),
    ...eachOf(definition.properties, 'property', propertyFaults),
    ...eachOf(definition.relations, 'relation', relationFaults),
    ...eachOf(definition.methods, 'method', methodFaults),
    ...rulesIn(definition.acls).flatMap((row, index) => isRecord(row) ? aclFaults(row, `acls[${String(index)}]`) : [])
  ]
}

/**
 * The faults of a model's entry in model-config.json: of its settings (`options`), rules and relations.
 *
 * ```js
 * entryFaults({ options: { maxLimt: 100 } })[0].says // 'is not known. Did you mean "maxLimit"?'
 * ```
 */
export function entryFaults ({ options, acls, relations, methods }: Written): Fault[] {
  const { mixins, ...settings } = isRecord(options) ? options : {}
  const told: Fault[] = mixins === undefined
    ? []
    : [{ at: 'options, mixins', says: 'is not read here: a model\'s own definition names its mixins.', kind: 'mistake' }]
  return [...told, ...definitionFaults({ ...settings, acls, relations, methods })]
}

/**
 * The faults of one rule of access. A permission that nobody knows denies; a rule that denies a kind of access that
 * there is not would deny nothing, so that it is fatal (security.md, S-84).
 *
 * ```js
 * aclFaults({ permission: 'DENY', accessType: 'REED' }, 'acls[0]')[0].kind // 'fatal'
 * ```
 */
function aclFaults (row: Written, at: string): Fault[] {
  const { accessType, permission, ...rest } = row
  // What a rule says beside what is known may be what it was written for.
  const faults: Fault[] = keyFaults(rest, AclVocabulary.properties, at).map(fault => ({ ...fault, kind: 'mistake' }))
  if (!isWord(permission, permissions)) {
    faults.push({ at: `${at}, permission`, says: `${mustBe(permission, permissions)} The rule denies.`, kind: 'mistake' })
  }
  if (!isGiven(accessType) || isWord(accessType, accessTypes)) return faults
  const kind = String(permission).toUpperCase() === 'DENY' ? 'fatal' : 'mistake'
  faults.push({ at: `${at}, accessType`, says: mustBe(accessType, accessTypes), kind })
  return faults
}

/** Rules are read without case. */
const isWord = (value: unknown, words: readonly string[]): boolean => words.includes(String(value).toUpperCase())
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
const mustBe = (value: unknown, words: readonly string[]): string =>
  `must be one of ${words.map(each => `"${each}"`).join(', ')}.${typeof value === 'string' ? nearest(value, words) : ''}`

function propertyFaults (written: unknown, at: string): Fault[] {
  if (isRecord(written) && isTypeBox(written)) return typeBoxFaults(written as unknown as TSchema, at)
  // A property without a type is an object of members, whose keys are its own.
  if (!isRecord(written) || !('type' in written)) return memberFaults(written, at)
  return [...keyFaults(written, PropertyVocabulary.properties, at, true), ...memberFaults(written.type, at)]
}

/** A TypeBox schema says by its own types what it may say; settings of the property stand among its options. */
function typeBoxFaults (schema: TSchema, at: string): Fault[] {
  const { settings } = apart(schema)
  const { default: _, description, ...others } = settings
  return keyFaults(others, PropertyVocabulary.properties, at, true)
}

/**
 * Members of an object have no columns, and clients see them with the object: what speaks of these says nothing there.
 */
function memberFaults (type: unknown, at: string): Fault[] {
  if (Array.isArray(type)) return memberFaults(type[0], at)
  if (!isRecord(type) || isTypeBox(type)) return []
  if (isExpanded(type)) return memberFaults(type.type, at)
  return Object.entries(type).flatMap(([name, member]): Fault[] => {
    const place = `${at}, ${name}`
    if (!isRecord(member) || isTypeBox(member) || !isExpanded(member)) return memberFaults(member, place)
    const ofColumns = Object.keys(member).filter(key =>
      Object.hasOwn(PropertyVocabulary.properties, key) && !ofMembers.includes(key) && !saysNothing(member[key]))
    return [
      ...keyFaults(member, PropertyVocabulary.properties, place, true).filter(({ at }) =>
        !ofColumns.some(key => at === `${place}, ${key}`)),
      ...ofColumns.map((key): Fault => ({
        at: `${place}, ${key}`, says: 'has no effect on a member of an object: make the object a model.', kind: 'mistake'
      })),
      ...memberFaults(member.type, place)
    ]
  })
}

/** What a definition may say of a member of an object. */
const ofMembers: readonly string[] = [
  'type', 'required', 'default', 'defaultFn', 'description', 'doc', 'comments', 'deprecated', 'jsonSchema', 'enum',
  'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum',
  'multipleOf', 'minItems', 'maxItems', 'uniqueItems', ...transformKeys
]

const isExpanded = (written: Written): boolean => written.type !== undefined

function relationFaults (written: unknown, at: string): Fault[] {
  if (!isRecord(written)) return []
  const { type, options, ...rest } = written
  return [
    ...keyFaults(rest, RelationVocabulary.properties, at),
    ...(isRecord(options) ? keyFaults(options, RelationOptionsVocabulary.properties, `${at}, options`) : [])
  ]
}

function methodFaults (written: unknown, at: string): Fault[] {
  if (!isRecord(written)) return []
  const { accepts, returns, ...rest } = written
  const isOfInstances = at.includes('"prototype.') || String(written.name).startsWith('prototype.')
  const mislabelled: Fault[] = written.isStatic === false && !isOfInstances
    ? [{ at: `${at}, isStatic`, says: 'says nothing any more: the name of an instance method begins with "prototype.".', kind: 'mistake' }]
    : []
  return [
    ...mislabelled,
    ...keyFaults(rest, MethodVocabulary.properties, at),
    ...valueFaults(accepts, `${at}, accepts`),
    ...valueFaults(returns, `${at}, returns`)
  ]
}

/** The faults of arguments or results: one, or a list of them. */
function valueFaults (written: unknown, at: string): Fault[] {
  if (written === undefined || written === null) return []
  if (typeof written === 'object' && isTypeBox(written)) return []
  const list = listOf(written)
  if (list.length === 0 && !Array.isArray(written)) {
    return [{ at, says: 'must be an object or a list of objects.', kind: 'mistake' }]
  }
  return list.flatMap((each, index) =>
    isRecord(each) ? keyFaults(each, ArgumentVocabulary.properties, `${at}[${String(index)}]`) : [])
}

/**
 * Keys that are not known, and values of another kind than their key has.
 *
 * ```js
 * keyFaults({ publc: true }, ModelEntryVocabulary.properties, '')[0].says // 'is not known. Did you mean "public"?'
 * ```
 * @param at what all places begin with
 * @param hasBlocks whether blocks of settings for a connector may stand beside the keys
 */
export function keyFaults (written: Written, known: TObject['properties'], at: string, hasBlocks = false): Fault[] {
  const place = (key: string): string => at === '' ? key : `${at}, ${key}`
  return Object.entries(written).flatMap(([key, value]): Fault[] => {
    if (value === undefined) return []
    const schema = Object.hasOwn(known, key) ? known[key] : undefined
    if (schema === undefined) {
      if (hasBlocks && isBlock(key, value)) return []
      if (hasBlocks && Object.hasOwn(featuresToCome, key) && !saysNothing(value)) {
        return [{ at: place(key), says: `is not supported. ${featuresToCome[key] as string}`, kind: 'mistake' }]
      }
      const meant = nearest(key, Object.keys(known))
      return [{ at: place(key), says: `is not known.${meant}`, kind: meant === '' ? 'foreign' : 'mistake' }]
    }
    const says = kindFault(schema, value)
    if (says !== undefined) return [{ at: place(key), says, kind: 'mistake' }]
    const unread = saysNothing(value) ? undefined : unreadOf(schema)
    return unread === undefined
      ? []
      : [{ at: place(key), says: `has no effect. ${unread.says}`, kind: 'mistake', isOfTools: unread.isOfTools }]
  })
}

/** `must be true or false.` */
function kindFault (schema: TSchema, value: unknown): string | undefined {
  return optionsFault(schema, value)?.replace(/^.*?(?= (?:must be|is needed))/, '').trim()
}

/** Nobody relies on what is empty or switched off. */
const saysNothing = (value: unknown): boolean =>
  value === null || value === false || value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const isBlock = (key: string, value: unknown): boolean =>
  isRecord(value) && connectorBlocks.includes(key.toLowerCase())

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object without a permission is no rule, and has keys of its own. */
const rulesIn = (acls: unknown): unknown[] => isRecord(acls) && !('permission' in acls) ? [] : listOf(acls)

const listOf = (value: unknown): unknown[] => Array.isArray(value) ? value : isRecord(value) ? [value] : []

const eachOf = (
  written: unknown, noun: string, faults: (written: unknown, at: string) => Fault[]
): Fault[] => isRecord(written)
  ? Object.entries(isTypeBox(written) && isRecord(written.properties) ? written.properties : written)
    .flatMap(([name, each]) => faults(each, `${noun} "${name}"`))
  : Array.isArray(written)
    ? written.flatMap((each, index) => faults(each, `${noun} ${String(index)}`))
    : []

const isTypeBox = (written: object): boolean => Object.getOwnPropertySymbols(written).length > 0
