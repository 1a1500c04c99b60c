/** A read over REST as a document, as far as GraphQL can say it. */
import type { PublishedRoute } from '@fastback/rest'
import { isList, named, written, type Schema, type SchemaField } from './schema.js'

/** What is selected of an object: names of its values, and what is selected of related ones. */
export interface Selection {
  readonly values: readonly string[]
  readonly related: ReadonlyMap<string, Selection>
  readonly isList: boolean
}

export interface Translated {
  readonly query: string
  readonly variables: Record<string, unknown>
  /** From the data to what REST gives. */
  readonly read: (data: any) => unknown
  /** Undefined for a count or a flag. */
  readonly selection: Selection | undefined
  /** For related rows: the relation, and the path of the row whose `include` gives them as well. */
  readonly included?: { readonly relation: string, readonly path: string }
}

/** Why a read cannot be written as a document. */
export class Untranslatable extends Error {}

/** A read whose field the schema does not have. */
export class NoField extends Error {}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

type Filter = Record<string, unknown>

/** Writes one document. */
export class Translation {
  readonly #schema: Schema
  readonly #declared: string[] = []
  readonly #variables: Record<string, unknown> = {}

  constructor (schema: Schema) {
    this.#schema = schema
  }

  /** @throws Untranslatable, NoField */
  of (route: PublishedRoute, path: Record<string, string>, filter: Filter): Translated {
    const { method: { builtin, relation, name, model } } = route
    const [one, many] = [lowerFirst(model.modelName), lowerFirst(model.pluralModelName)]
    switch (builtin) {
      case 'find': return this.#rows(this.#query(this.#has(`${many}List`) ? `${many}List` : many), filter)
      case 'findOne': return this.#rows(this.#query(`first${model.modelName}`), filter)
      case 'findById': return this.#rows(this.#query(`${one}`), filter, path.id)
      case 'exists': return this.#value(this.#query(`${one}Exists`), { id: path.id }, 'exists')
      case 'count': return this.#value(this.#query(`${many}Count`), { where: filter.where }, 'count')
    }
    if (relation === undefined || builtin !== undefined) throw new Untranslatable('a method of the application')
    const isCount = name === `__count__${relation}`
    if (!isCount && name !== `__get__${relation}`) throw new Untranslatable('one row of a relation')
    const parent = this.#query(one)
    const type = String(named(parent.type).name)
    const inner = this.#schema.field(type, isCount ? `${relation}Count` : relation)
    if (inner === undefined) throw new Untranslatable('the relation is no field: it is hidden, or not published')
    const call = this.#call(parent, { id: path.id })
    if (isCount) {
      return this.#document(`${call} { value: ${this.#call(inner, { where: filter.where })} }`, ({ [one]: row }) =>
        row === null ? undefined : { count: row.value })
    }
    const [text, selection] = this.#selected(inner, filter)
    const document = this.#document(
      `${call} { ${text} }`, ({ [one]: row }) => row === null ? undefined : row[relation], selection
    )
    const parentPath = `${route.prefix}${route.path}`.split('/').slice(0, -1).join('/')
    return { ...document, included: { relation, path: parentPath.replace(':id', encodeURIComponent(path.id as string)) } }
  }

  #has (name: string): boolean {
    return this.#schema.field('Query', name) !== undefined
  }

  #query (name: string): SchemaField {
    const field = this.#schema.field('Query', name)
    if (field === undefined) throw new NoField(name)
    return field
  }

  #rows (field: SchemaField, filter: Filter, id?: string): Translated {
    const [text, selection] = this.#selected(field, filter, id)
    return this.#document(text, data => data[field.name], selection)
  }

  #value (field: SchemaField, args: Record<string, unknown>, member: string): Translated {
    return this.#document(this.#call(field, args), data => ({ [member]: data[field.name] }))
  }

  #document (text: string, read: Translated['read'], selection?: Selection): Translated {
    const head = this.#declared.length === 0 ? '' : `query (${this.#declared.join(', ')}) `
    return { query: `${head}{ ${text} }`, variables: this.#variables, read, selection }
  }

  /** A field with its arguments and what is selected of it. */
  #selected (field: SchemaField, filter: Filter, id?: string): [text: string, selection: Selection] {
    const { where, order, limit, skip, offset, include, fields, ...others } = filter
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) throw new Untranslatable(`the filter has "${unknown}"`)
    const type = String(named(field.type).name)
    const values = this.#schema.fields(type)
      .filter(({ args, type }) => args.length === 0 && ['SCALAR', 'ENUM'].includes(named(type).kind))
      .map(({ name }) => name).filter(chosenBy(fields))
    const related = includesOf(include).map(([name, scope]) => {
      const inner = this.#schema.field(type, name)
      if (inner === undefined) throw new Untranslatable('the relation is no field: it is hidden, or not published')
      if (named(inner.type).kind === 'UNION') throw new Untranslatable('related rows of several models')
      return [name, ...this.#selected(inner, scope)] as const
    })
    const call = this.#call(field, { id, where, order, limit, skip: skip ?? offset })
    return [
      `${call} { __typename ${values.join(' ')} ${related.map(([, text]) => text).join(' ')} }`,
      { values, related: new Map(related.map(([name, , selection]) => [name, selection])), isList: isList(field.type) }
    ]
  }

  #call (field: SchemaField, args: Record<string, unknown>): string {
    const given = Object.entries(args).filter(([, value]) => value !== undefined).map(([name, value]) => {
      const type = field.args.find(argument => argument.name === name)?.type
      if (type === undefined) throw new Untranslatable(`"${field.name}" has no "${name}"`)
      return `${name}: ${this.#argument(name, value, written(type), String(named(type).name))}`
    })
    return given.length === 0 ? field.name : `${field.name}(${given.join(', ')})`
  }

  #argument (name: string, value: unknown, type: string, base: string): string {
    if (name === 'order') return this.#order(value, base)
    if ((name === 'limit' || name === 'skip') && !Number.isInteger(value)) throw new Untranslatable('a page in texts')
    const variable = `$v${this.#declared.length}`
    this.#declared.push(`${variable}: ${type}`)
    const isNumber = name === 'id' && base !== 'ID' && base !== 'String' && /^\d{1,15}$/.test(String(value))
    this.#variables[variable.slice(1)] = name === 'where' ? this.#where(value, base) : isNumber ? Number(value) : value
    return variable
  }

  #order (value: unknown, type: string): string {
    const names = [value].flat().map(each => {
      const [name, direction = 'ASC', ...more] = String(each).trim().split(/\s+/)
      const found = `${name}_${direction.toUpperCase()}`
      const isValue = more.length === 0 && this.#schema.hasValue(type, found)
      if (!isValue) throw new Untranslatable('an order that is no value of the enum')
      return found
    })
    return `[${names.join(', ')}]`
  }

  /** By the operators of the schema, and what these do not have as REST has it. */
  #where (where: unknown, type: string): Record<string, unknown> {
    if (!isRecord(where)) throw new Untranslatable('a condition that is no object')
    const own: Record<string, unknown> = {}
    const others: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(where)) {
      const operators = String(named(this.#schema.member(type, name) ?? unnamed).name)
      if ((name === 'and' || name === 'or') && Array.isArray(value) && value.every(isRecord)) {
        own[name] = value.map(each => this.#where(each, type))
      } else if (isPlain(value, operators)) own[name] = { eq: value }
      else (this.#isCondition(value, operators) ? own : others)[name] = value
    }
    return Object.keys(others).length === 0 ? own : { ...own, _where: others }
  }

  #isCondition (value: unknown, operators: string): boolean {
    return isRecord(value) && Object.entries(value).every(([operator, operand]) =>
      this.#schema.member(operators, operator) !== undefined &&
      [operand].flat().every(each => isPlain(each, operators)))
  }
}

const unnamed = { kind: '', name: '', ofType: null }

/** Whether a value is of the type that conditions of a filter compare: REST takes others as well. */
function isPlain (value: unknown, operators: string): boolean {
  const types: Record<string, string> = {
    StringFilter: 'string', IDFilter: 'string', FloatFilter: 'number', SafeIntFilter: 'number', BooleanFilter: 'boolean',
    DateTimeFilter: 'string'
  }
  const type: string = typeof value
  return type === types[operators]
}

function chosenBy (fields: unknown): (name: string) => boolean {
  if (fields === undefined || fields === null) return () => true
  if (Array.isArray(fields)) return name => fields.includes(name)
  if (!isRecord(fields)) return name => name === fields
  const entries = Object.entries(fields)
  const wanted = entries.filter(([, value]) => value === true).map(([name]) => name)
  return name => wanted.length > 0 ? wanted.includes(name) : fields[name] !== false
}

/** Each relation of an `include`, with its scope. */
function includesOf (include: unknown): Array<[name: string, scope: Filter]> {
  if (include === undefined || include === null) return []
  if (typeof include === 'string') return [[include, {}]]
  if (Array.isArray(include)) return include.flatMap(includesOf)
  if (!isRecord(include)) throw new Untranslatable('an include that is no relation')
  const { relation, scope = {}, count, as, rel, ...others } = include
  if (count !== undefined || as !== undefined || rel !== undefined) throw new Untranslatable('an include with more than a scope')
  if (typeof relation === 'string') {
    if (!isRecord(scope)) throw new Untranslatable('a scope that is no object')
    return [[relation, scope]]
  }
  return Object.entries(others).map(([name, inner]) => [name, { include: inner }])
}

/** What REST gives, as far as it is selected: so GraphQL must give it. */
export function shown (value: unknown, selection: Selection): unknown {
  if (Array.isArray(value)) return value.map(each => shown(each, selection))
  if (!isRecord(value)) return value ?? (selection.isList ? [] : null)
  return {
    ...Object.fromEntries(selection.values.map(name => [name, value[name] ?? null])),
    ...Object.fromEntries([...selection.related].map(([name, inner]) => [name, shown(value[name], inner)]))
  }
}
