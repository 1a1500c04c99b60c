/** Parts of the description of an operation that several parts of a client are made of. */
import type { Operation, Parameter, Response, Schema } from '@fastback/explorer'

/** The response of an operation that went well. */
export function successOf ({ responses }: Operation): Response | undefined {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] as Response | undefined
}

/** The schema of a response's body. */
export const bodyOf = (response: Response | undefined): Schema | undefined =>
  Object.values(response?.content ?? {})[0]?.schema

/** The schema of a parameter. */
export const schemaOf = ({ schema, content }: Parameter): Schema => schema ?? content?.['application/json']?.schema ?? {}

/** The schema of the parameter `filter`; undefined where there is none. */
export function filterSchema ({ parameters = [] }: Operation): Schema | undefined {
  const filter = parameters.find(({ name }) => name === 'filter')
  return filter === undefined ? undefined : schemaOf(filter)
}

/** The name of a schema among the components. */
export function refName (schema: Schema | undefined): string | undefined {
  const ref = schema?.$ref as string | undefined
  return ref?.slice(ref.lastIndexOf('/') + 1)
}
