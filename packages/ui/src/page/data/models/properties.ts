/** Properties of rows, by what the description says of their values. */
import type { Schema } from '../../../contracts/openapi.js'
import type { ApiDescription } from '../../api/description.js'

export type Row = Readonly<Record<string, unknown>>

/** A property, with what is said of its values once references and null are taken off. */
export interface Property {
  readonly name: string
  /** As it is written in the description. */
  readonly written: Schema
  readonly schema: Schema
  readonly nullable: boolean
  readonly required: boolean
}

/** A value of a row itself: `constructor` and the like are no values of a row that has no such property. */
export const valueOf = <T>(row: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(row, name) ? row[name] : undefined

/** The properties of a schema, in its order. */
export function propertiesOf (schema: Schema, description: ApiDescription): Property[] {
  const required = (schema.required ?? []) as string[]
  return Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>).map(([name, written]) => ({
    name, written, ...resolved(written, description), required: required.includes(name)
  }))
}

/** The one kind of value that a schema is about, and whether null may stand in its place. */
function resolved (written: Schema, description: ApiDescription): Pick<Property, 'schema' | 'nullable'> {
  const found = description.schema(written)
  const branches = (found.anyOf ?? found.oneOf) as Schema[] | undefined
  const isNull = (branch: Schema): boolean => branch.type === 'null'
  if (branches !== undefined) {
    const others = branches.filter(branch => !isNull(branch))
    const [only] = others
    const inner = only === undefined || others.length > 1
      ? { schema: {}, nullable: false }
      : resolved(only, description)
    const nullable = inner.nullable || branches.some(isNull)
    return { schema: { ...found, anyOf: undefined, ...inner.schema }, nullable }
  }
  const [type, nullable] = Array.isArray(found.type)
    ? [found.type.filter(each => each !== 'null'), found.type.includes('null')]
    : [[found.type], found.type === undefined]
  const choices = (found.enum as unknown[] | undefined)?.filter(value => value !== null)
  return { schema: { ...found, type: type.length === 1 ? type[0] as unknown : undefined, enum: choices }, nullable }
}
