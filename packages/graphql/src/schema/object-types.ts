/** The types of rows: their properties, and related rows as fields. */
import type { ModelClass } from '@fastback/core'
import {
  type GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLUnionType, type GraphQLFieldConfig
} from 'graphql'
import { relatedRows, rowType } from '../execution/related.js'
import type { CallContext } from '../execution/call.js'
import { describe } from './data-types.js'
import type { ModelEntry, RelationEntry } from './entries.js'
import type { FilterTypes } from './filter-types.js'
import { Fields, upperFirst, type Report, type TypeNames } from './names.js'
import type { ValueTypes } from './value-types.js'
import { listArguments } from './list-arguments.js'

export type Field = GraphQLFieldConfig<any, CallContext>

export interface TypeParts {
  readonly values: ValueTypes
  readonly filters: FilterTypes
  readonly names: TypeNames
  readonly report: Report
  /** Types that several fields have. */
  readonly affected: GraphQLObjectType
  readonly pageInfo: GraphQLObjectType
  readonly groupBy: GraphQLInputObjectType
}

/** The type of a model's rows; its fields are made when the models that it relates to are known. */
export const objectType = (
  Model: ModelClass, name: string, entry: () => ModelEntry, parts: TypeParts
): GraphQLObjectType => new GraphQLObjectType({
  name, ...describe(Model.settings as { description?: string | string[] }), fields: () => fieldsOf(entry(), parts)
})

function fieldsOf (entry: ModelEntry, parts: TypeParts): Record<string, Field> {
  const { values, report } = parts
  const fields = new Fields<Field>(entry.name, report)
  for (const property of entry.properties.values()) {
    fields.add(property.name, {
      type: values.of(entry, property).output, ...describe(property.definition)
    })
  }
  for (const [name, related] of entry.relations) {
    fields.add(name, relationField(entry, related, parts))
    if (!related.relation.multiple || !entry.Model.compiled.refusesFilterKeys) continue
    const [target] = related.targets as [ModelEntry]
    fields.add(`${name}Count`, {
      type: new GraphQLNonNull(values.common.SafeInt),
      description: `How many rows "${name}" has.`,
      args: { where: { type: parts.filters.where(target) } },
      resolve: (row, _args, _context, { path }) => relatedRows(row, String(path.key))
    })
  }
  // A type has at least one field.
  if (fields.isEmpty) fields.add('_row', { type: values.common.JSON, resolve: row => row })
  return fields.all
}

function relationField (entry: ModelEntry, related: RelationEntry, parts: TypeParts): Field {
  const { relation, targets } = related
  const [target] = targets as [ModelEntry]
  const type = related.discriminator === undefined ? target.type : unionOf(entry, related, parts)
  return {
    type: relation.multiple ? new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type))) : type,
    args: relation.multiple ? listArguments(target, parts.filters) : {},
    resolve: (row, _args, _context, { path }) => relatedRows(row, String(path.key)) ?? (relation.multiple ? [] : null)
  }
}

function unionOf (
  entry: ModelEntry, { relation: { name }, targets }: RelationEntry, { names }: TypeParts
): GraphQLUnionType {
  const union = entry.unions.get(name) ?? new GraphQLUnionType({
    name: names.take(entry.name + upperFirst(name)),
    types: targets.map(({ type }) => type),
    resolveType: row => rowType(row)
  })
  entry.unions.set(name, union)
  return union
}
