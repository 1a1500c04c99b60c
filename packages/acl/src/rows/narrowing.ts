/** What a rule says of rows and properties, read from its definition. */
import type { AclDefinition, ModelClass } from '@fastback/core'
import { nearest } from '@fastback/core/remote'
import { userModelsOf } from '@fastback/auth/service'
import { readFields, type Fields } from './fields.js'
import { isRecord, never, readTemplate, shown, type Template } from './template.js'
import { readVariable, type Variable } from './variables.js'

/** A condition, or the rows that the caller owns. */
export type RowsPart = 'own' | Template

/** By property: a value, or what the request says. */
export type Preset = ReadonlyMap<string, { readonly value: unknown } | { readonly variable: Variable }>

/** What of rows and properties a rule is about. */
export interface Narrowing {
  readonly rows: RowsPart | undefined
  readonly check: RowsPart | undefined
  readonly preset: Preset | undefined
  readonly reads: Fields | undefined
  readonly writes: Fields | undefined
  /** Of all parts. */
  readonly variables: readonly Variable[]
}

/** Something that cannot be meant: its key, and a sentence without its subject. */
export interface NarrowingFault { readonly key: string, readonly says: string }

type Written = Readonly<Partial<AclDefinition>>

const narrowingKeys = ['rows', 'check', 'preset', 'fields'] as const

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * Whether a rule says anything of rows or properties.
 *
 * ```js
 * namesRows({ permission: 'ALLOW', principalId: '$everyone', rows: 'own' }) // true
 * ```
 */
export const namesRows = (written: Readonly<Record<string, unknown>>): boolean =>
  narrowingKeys.some(key => isGiven(written[key]))

/**
 * What a rule of a model says of rows and properties; undefined: nothing.
 *
 * ```js
 * readNarrowing(Note, { permission: 'ALLOW', principalId: '$everyone', rows: { isPublic: true } }).faults // []
 * ```
 */
export function readNarrowing (
  Model: ModelClass, written: Written
): { narrowing: Narrowing | undefined, faults: readonly NarrowingFault[] } {
  const faults: NarrowingFault[] = []
  const { enforce } = written as { enforce?: unknown }
  if (isGiven(enforce) && typeof enforce !== 'boolean') faults.push({ key: 'enforce', says: '"enforce" is true or false.' })
  if (!namesRows(written)) return { narrowing: undefined, faults }
  const variables: Variable[] = []
  const part = (key: 'rows' | 'check'): RowsPart | undefined => {
    const value: unknown = written[key]
    if (!isGiven(value)) return undefined
    if (value === 'own') return 'own'
    const { template, faults: found } = readTemplate(Model, value)
    faults.push(...found.map(says => ({ key, says: `"${key}": ${says}` })))
    variables.push(...template.variables)
    return template
  }
  const rows = part('rows')
  const check = part('check')
  const preset = readPreset(Model, written.preset, variables, faults)
  const { reads, writes } = fieldsOf(Model, written.fields, faults)
  if (isDeny(written)) {
    const odd = narrowingKeys.find(key => key !== 'rows' && isGiven(written[key]))
    if (odd !== undefined) faults.push({ key: odd, says: `"${odd}" has no meaning in a rule that denies: it takes rows away.` })
  }
  for (const variable of variables) faults.push(...faultsOfUser(Model, variable))
  return { narrowing: { rows, check, preset, reads, writes, variables }, faults }
}

const isDeny = ({ permission }: Written): boolean => String(permission).toUpperCase() === 'DENY'

function readPreset (
  Model: ModelClass, written: unknown, variables: Variable[], faults: NarrowingFault[]
): Preset | undefined {
  if (!isGiven(written)) return undefined
  if (!isRecord(written)) {
    faults.push({ key: 'preset', says: `"preset": ${shown(written)} is no object of values.` })
    return undefined
  }
  const preset = new Map<string, { readonly value: unknown } | { readonly variable: Variable }>()
  for (const [name, value] of Object.entries(written)) {
    if (!Model.compiled.propertyByName.has(name)) {
      const known = [...Model.compiled.propertyByName.keys()]
      faults.push({ key: 'preset', says: `"preset": "${name}" is no property of "${Model.modelName}".${nearest(name, known)}` })
    }
    const read = readVariable(value)
    if ('fault' in read) faults.push({ key: 'preset', says: `"preset": ${read.fault}` })
    else {
      preset.set(name, read)
      if ('variable' in read) variables.push(read.variable)
    }
  }
  return preset
}

function fieldsOf (
  Model: ModelClass, written: unknown, faults: NarrowingFault[]
): { reads: Fields | undefined, writes: Fields | undefined } {
  if (!isGiven(written)) return { reads: undefined, writes: undefined }
  if (!isRecord(written)) {
    faults.push({ key: 'fields', says: `"fields": ${shown(written)} has no lists "read" and "write".` })
    return { reads: () => false, writes: () => false }
  }
  for (const key of Object.keys(written)) {
    if (key === 'read' || key === 'write') continue
    faults.push({ key: 'fields', says: `"fields": "${key}" is not known.${nearest(key, ['read', 'write'])}` })
  }
  const list = (key: 'read' | 'write'): Fields | undefined => {
    if (!isGiven(written[key])) return undefined
    const { fields, faults: found } = readFields(Model, written[key], key)
    faults.push(...found.map(says => ({ key: 'fields', says: `"fields.${key}": ${says}` })))
    return fields
  }
  return { reads: list('read'), writes: list('write') }
}

/** A property of the user that no user model has is nobody's. */
function faultsOfUser ({ registry }: ModelClass, variable: Variable): NarrowingFault[] {
  if (variable.of !== 'user' || variable.property === 'id') return []
  const { property } = variable
  const models = userModelsOf(registry).attached
  const known = models.flatMap(({ compiled }) => [...compiled.propertyByName.keys()])
  return models.length === 0 || known.includes(property)
    ? []
    : [{ key: 'rows', says: `"$user.${property}": no user model has this property.${nearest(property, known)}` }]
}

/**
 * Whether what rules of a model say of rows and properties holds; else it is only tried (setting `enforceRows`).
 *
 * ```js
 * enforcesRows(registry.defineModel({ name: 'Note', enforceRows: false })) // false
 * ```
 */
export const enforcesRows = ({ settings, registry }: ModelClass): boolean =>
  (settings.enforceRows ?? registry.settings.enforceRows) !== false

/**
 * The setting `tenant` of a model: what narrows all that comes from outside, whatever rule decides.
 *
 * ```js
 * tenantOf(Invoice)?.property // 'tenantId'
 * ```
 */
export function tenantOf (
  { settings }: ModelClass
): { readonly property: string, readonly value: unknown } | undefined {
  const { tenant } = settings as { tenant?: unknown }
  return isRecord(tenant) ? { property: String(tenant.property), value: tenant.value } : undefined
}

const noRows: Template = { node: { kind: 'written', where: never }, variables: [], written: undefined }

/** The same as a rule says it; undefined where the model has none. What of it cannot be meant leaves no rows. */
export function readTenant (
  Model: ModelClass
): { property: string, narrowing: Narrowing, faults: readonly NarrowingFault[] } | undefined {
  const tenant = tenantOf(Model)
  if (tenant === undefined) return undefined
  const { property, value } = tenant
  const says = typeof value === 'string' && 'variable' in readVariable(value)
    ? []
    : [{ key: 'tenant', says: `"tenant": ${shown(value)} is no variable, such as "$user.tenantId".` }]
  const { narrowing, faults } = readNarrowing(Model, { rows: { [property]: value }, preset: { [property]: value } })
  const all = [...says, ...faults]
  const closed = all.length === 0 ? {} : { rows: noRows, check: undefined }
  return { property, narrowing: { ...narrowing as Narrowing, ...closed }, faults: all }
}
