import type { Schema } from '../document/types.js'
import type { ApiDescription } from './description.js'

/** The properties of an object; of several schemas, those of the first that has some. */
export function shapeOf (
  schema: Schema | undefined, description: ApiDescription
): { properties: Readonly<Record<string, Schema>>, required: readonly string[] } {
  const found = description.schema(schema)
  const branch = ((found.anyOf ?? []) as Schema[])
    .map(each => description.schema(each)).find(each => each.properties !== undefined)
  const { properties = {}, required = [] } = (found.properties === undefined ? branch ?? {} : found) as {
    readonly properties?: Readonly<Record<string, Schema>>, readonly required?: readonly string[]
  }
  return { properties, required }
}
