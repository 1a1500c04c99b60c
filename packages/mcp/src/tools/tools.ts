/** The tools of an application: made of its published methods, once, when it starts. */
import type { Tool as Description } from '@modelcontextprotocol/sdk/types.js'
import type { PublishedRoute } from '@fastback/rest'
import type { OpenApiDocument, Operation, Schema } from '@fastback/ui/openapi'
import { UnknownToolError } from '../errors.js'
import type { Settings } from '../options.js'
import { isRead } from './choose.js'
import { inputsOf, type Input } from './inputs.js'
import { ToolNames } from './names.js'
import { resolved, standAlone, typesOf, type Components } from './schemas.js'

export interface Tool {
  readonly name: string
  readonly route: PublishedRoute
  readonly isRead: boolean
  readonly inputs: readonly Input[]
  /** The argument that has the filter of a list: its rows are limited. */
  readonly listFilter: string | undefined
  /** What clients see. */
  readonly description: Description
}

/**
 * Makes the tools.
 * @param document describes the routes
 * @throws FBK_MCP_UNKNOWN_TOOL for names of `confirm` that are no tool's
 */
export function makeTools (
  routes: readonly PublishedRoute[], document: OpenApiDocument, { confirm, limits }: Pick<Settings, 'confirm' | 'limits'>
): Map<string, Tool> {
  const names = new ToolNames()
  const components: Components = document.components.schemas ?? {}
  const tools = new Map<string, Tool>()
  for (const route of routes) {
    const operation = operationOf(document, route)
    if (operation === undefined) continue
    const name = names.take(route.method)
    tools.set(name, toolOf(name, route, operation))
  }
  const unknown = Object.keys(confirm).find(name => !tools.has(name))
  if (unknown !== undefined) {
    throw new UnknownToolError(`"confirm" names "${unknown}", which is no tool: there are ${[...tools.keys()].join(', ')}.`)
  }
  return tools

  function toolOf (name: string, route: PublishedRoute, operation: Operation): Tool {
    const { method, verb } = route
    const read = isRead(route)
    const inputs = inputsOf(route, operation, read, components)
    const isList = resultOf(operation, components).type === 'array'
    const listFilter = isList
      ? method.accepts.find(({ arg, modelFilter }) => modelFilter === 'filter' && inputs.some(each => each.name === arg))?.arg
      : undefined
    const adds = method.builtin === 'create'
    return {
      name,
      route,
      isRead: read,
      inputs,
      listFilter,
      description: {
        name,
        title: `${method.modelName}: ${method.name.replaceAll(/_+/g, ' ').trim()}`,
        description: descriptionOf(operation, listFilter === undefined ? '' : `At most ${limits.rows} rows in one call.`),
        inputSchema: inputSchema(inputs, components),
        outputSchema: outputSchema(operation, components),
        annotations: {
          readOnlyHint: read,
          destructiveHint: confirm[name] ?? (!read && !adds),
          idempotentHint: read || verb === 'PUT' || verb === 'DELETE',
          openWorldHint: false
        }
      }
    }
  }
}

/** How OpenAPI describes a route. Prefixes are in its paths where there are several. */
function operationOf ({ paths }: OpenApiDocument, { path, verb }: PublishedRoute): Operation | undefined {
  const written = path.replaceAll(/:(\w+)(?:\([^)]*\))?/g, '{$1}')
  return (paths[written] as Record<string, Operation | undefined> | undefined)?.[verb.toLowerCase()]
}

const descriptionOf = ({ summary, description, deprecated, 'x-row-rules': rows }: Operation & { 'x-row-rules'?: string }, more: string): string => [
  summary ?? '',
  description ?? '',
  deprecated === true && description === undefined ? 'Deprecated.' : '',
  rows === undefined ? '' : `Rows: ${rows}.`,
  more
].filter(text => text !== '').join('\n')

function inputSchema (inputs: readonly Input[], components: Components): Description['inputSchema'] {
  const required = inputs.filter(input => input.required).map(({ name }) => name)
  const whole: Schema = {
    type: 'object',
    properties: Object.fromEntries(inputs.map(({ name, schema }) => [name, withType(schema, components)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false
  }
  return standAlone(whole, components) as Description['inputSchema']
}

/** Some clients follow no reference, and send as text what does not say that it is an object. */
function withType (schema: Schema, components: Components): Schema {
  const [type, ...more] = new Set(typesOf(schema, components))
  return schema.type !== undefined || type === undefined || more.length > 0 ? schema : { type, ...schema }
}

/** What is told of a result is its form: which properties rows have depends on the caller, and on the filter. */
function outputSchema (operation: Operation, components: Components): NonNullable<Description['outputSchema']> {
  const { type } = resultOf(operation, components)
  return {
    type: 'object',
    properties: { data: type === 'array' ? { type } : {}, note: { type: 'string' } }
  }
}

function resultOf ({ responses }: Operation, components: Components): Schema {
  const [, done] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const content = (done as { content?: Record<string, { schema?: Schema }> } | undefined)?.content
  return resolved(content?.['application/json']?.schema ?? {}, components)
}
