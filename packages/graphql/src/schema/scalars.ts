/** Scalars for values that have no type of their own in GraphQL. What a value may be, the model says. */
import {
  GraphQLEnumType, GraphQLFloat, GraphQLInputObjectType, GraphQLNonNull, GraphQLObjectType, GraphQLScalarType,
  valueFromASTUntyped
} from 'graphql'

const scalar = (name: string, description: string): GraphQLScalarType => new GraphQLScalarType({
  name,
  description,
  serialize: value => value,
  parseValue: value => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables)
})

/** The types that every schema has, made for it. */
export interface CommonTypes {
  readonly SafeInt: GraphQLScalarType
  readonly BigInt: GraphQLScalarType
  readonly Decimal: GraphQLScalarType
  readonly DateTime: GraphQLScalarType
  readonly Date: GraphQLScalarType
  readonly Time: GraphQLScalarType
  readonly Byte: GraphQLScalarType
  readonly JSON: GraphQLScalarType
  readonly GeoPoint: GraphQLObjectType
  readonly GeoPointInput: GraphQLInputObjectType
  readonly GeoUnit: GraphQLEnumType
}

const units = ['meters', 'kilometers', 'miles', 'feet', 'radians', 'degrees']

export const commonTypes = (): CommonTypes => ({
  SafeInt: scalar('SafeInt', 'A whole number of at most 53 bits.'),
  BigInt: scalar('BigInt', 'A whole number of 64 bits: a number, or a text where JSON has no such number.'),
  Decimal: scalar('Decimal', 'A number with all its digits, as a text.'),
  DateTime: scalar('DateTime', 'An instant, in the form of ISO 8601: "2026-01-31T12:00:00.000Z".'),
  Date: scalar('Date', 'A day: "2026-01-31".'),
  Time: scalar('Time', 'A time of day: "12:00:00".'),
  Byte: scalar('Byte', 'Bytes, in Base64.'),
  JSON: scalar('JSON', 'Any value that JSON has.'),
  GeoPoint: new GraphQLObjectType({
    name: 'GeoPoint',
    fields: { lat: { type: new GraphQLNonNull(GraphQLFloat) }, lng: { type: new GraphQLNonNull(GraphQLFloat) } }
  }),
  GeoPointInput: new GraphQLInputObjectType({
    name: 'GeoPointInput',
    fields: { lat: { type: new GraphQLNonNull(GraphQLFloat) }, lng: { type: new GraphQLNonNull(GraphQLFloat) } }
  }),
  GeoUnit: new GraphQLEnumType({ name: 'GeoUnit', values: Object.fromEntries(units.map(name => [name, {}])) })
})

/** Names that no model's type can have. */
export const reservedNames: readonly string[] = [
  'Query', 'Mutation', 'Subscription', 'String', 'Int', 'Float', 'Boolean', 'ID', 'PageInfo', 'Affected',
  ...Object.keys(commonTypes())
]
