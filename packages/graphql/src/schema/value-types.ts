/** The types of properties: as they are given out, as they are sent, and as conditions name them. */
import type { CompiledProperty, JsonSchema, ModelClass, PropertyType } from '@fastback/core'
import type { OperatorGroup, OperatorName, OperatorOption } from '@fastback/core/query'
import {
  GraphQLBoolean, GraphQLEnumType, GraphQLFloat, GraphQLID, GraphQLInputObjectType, GraphQLList, GraphQLString,
  type GraphQLInputFieldConfig, type GraphQLInputType, type GraphQLOutputType
} from 'graphql'
import type { ModelEntry } from './entries.js'
import { isName, upperFirst, type TypeNames } from './names.js'
import type { CommonTypes } from './scalars.js'

type Leaf = GraphQLInputType & GraphQLOutputType

/** The operators of a group, as fields. */
type Conditions<G extends OperatorGroup> = Readonly<Record<OperatorName<G>, GraphQLInputFieldConfig>>

/** How values of a type are compared. */
type Comparing = 'order' | 'text' | 'equal'

interface ValueType {
  readonly output: GraphQLOutputType
  readonly input: GraphQLInputType
  readonly filter: GraphQLInputObjectType
  /** Whether rows can be put in its order. */
  readonly isOrdered: boolean
}

export class ValueTypes {
  readonly #byName = new Map<string, ValueType>()
  readonly #names: TypeNames

  constructor (readonly common: CommonTypes, names: TypeNames) {
    this.#names = names
  }

  /** The type of a property of a model. */
  of ({ name: owner, keys, Model }: ModelEntry, { name, type }: CompiledProperty): ValueType {
    const choices = type.kind === 'string' ? choicesOf(Model, name) : undefined
    return choices === undefined
      ? this.#typed(type, keys.has(name))
      : this.#kept(`${owner}.${name}`, () => this.#enumeration(owner + upperFirst(name), choices))
  }

  #typed (type: PropertyType, isKey = false): ValueType {
    const { common } = this
    switch (type.kind) {
      case 'string':
        if (type.calendar !== undefined) return this.#leaf(type.calendar === 'date' ? common.Date : common.Time, 'order')
        return this.#leaf(isKey ? GraphQLID : GraphQLString, 'text')
      case 'number': return this.#leaf(isKey ? common.SafeInt : GraphQLFloat, 'order')
      case 'integer': return this.#leaf(common.SafeInt, 'order')
      case 'long': case 'bigint': return this.#leaf(common.BigInt, 'order')
      case 'decimal': return this.#leaf(common.Decimal, 'order')
      case 'boolean': return this.#leaf(GraphQLBoolean, 'equal')
      case 'date': return this.#leaf(common.DateTime, 'order')
      case 'buffer': return this.#leaf(common.Byte, 'equal')
      case 'geopoint': return this.#geoPoint()
      case 'array': return this.#list(this.#typed(type.items ?? { kind: 'any' }))
      case 'object': case 'model': case 'any': return this.#leaf(common.JSON, 'equal')
    }
  }

  #leaf (leaf: Leaf, comparing: Comparing): ValueType {
    const name = (leaf as { name: string }).name
    return this.#kept(name, () => ({
      output: leaf,
      input: leaf,
      filter: this.#filter(`${name}Filter`, leaf, comparing),
      isOrdered: comparing !== 'equal' || leaf === GraphQLBoolean
    }))
  }

  /** A list matches where one of its items does. */
  #list ({ output, input, filter }: ValueType): ValueType {
    return { output: new GraphQLList(output), input: new GraphQLList(input), filter, isOrdered: false }
  }

  #enumeration (wanted: string, choices: readonly string[]): ValueType {
    const name = this.#names.take(wanted)
    const leaf = new GraphQLEnumType({ name, values: Object.fromEntries(choices.map(choice => [choice, {}])) })
    return { output: leaf, input: leaf, filter: this.#filter(`${name}Filter`, leaf, 'equal'), isOrdered: true }
  }

  #geoPoint (): ValueType {
    const { GeoPoint, GeoPointInput, GeoUnit } = this.common
    const distances: Conditions<'distances'> & Record<OperatorOption<'distances'>, GraphQLInputFieldConfig> = {
      near: { type: GeoPointInput, description: 'The nearest rows come first.' },
      maxDistance: { type: GraphQLFloat },
      minDistance: { type: GraphQLFloat },
      unit: { type: GeoUnit, description: 'Of the distances. Default: miles.' }
    }
    return this.#kept('GeoPoint', () => ({
      output: GeoPoint,
      input: GeoPointInput,
      filter: new GraphQLInputObjectType({
        name: this.#names.take('GeoPointFilter'),
        fields: {
          ...distances,
          exists: { type: GraphQLBoolean }
        }
      }),
      isOrdered: false
    }))
  }

  #filter (name: string, leaf: GraphQLInputType, comparing: Comparing): GraphQLInputObjectType {
    const one = { type: leaf }
    const several = { type: new GraphQLList(leaf) }
    const text = { type: GraphQLString }
    const equality: Conditions<'equality'> = {
      eq: one, neq: one, inq: several, nin: several, exists: { type: GraphQLBoolean }
    }
    const ranges: Conditions<'ranges'> = { gt: one, gte: one, lt: one, lte: one, between: several }
    const patterns: Conditions<'patterns'> = { like: text, nlike: text, ilike: text, nilike: text, regexp: text }
    return new GraphQLInputObjectType({
      name: this.#names.take(name),
      description: 'Conditions on a value; all of them must hold.',
      fields: {
        ...equality,
        ...(comparing === 'equal' ? {} : ranges),
        ...(comparing === 'text' ? patterns : {})
      }
    })
  }

  #kept (name: string, make: () => ValueType): ValueType {
    const kept = this.#byName.get(name) ?? make()
    this.#byName.set(name, kept)
    return kept
  }
}

/** The values of an enum, where all of them are names. */
function choicesOf ({ compiled }: ModelClass, name: string): string[] | undefined {
  const { properties = {} } = compiled.schemas.replace as { properties?: Record<string, JsonSchema> }
  const choices = ((properties[name]?.enum ?? []) as unknown[]).filter(choice => choice !== null)
  const reserved = ['true', 'false', 'null']
  const areNames = choices.length > 0 &&
    choices.every(choice => typeof choice === 'string' && isName(choice) && !reserved.includes(choice))
  return areNames ? [...new Set(choices as string[])] : undefined
}
