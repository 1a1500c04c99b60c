/** From the fields of an operation to a request. */
import type { Parameter, Schema } from '../../contracts/openapi.js'
import type { Action, ApiDescription } from '../api/description.js'
import { formOf, isForm, partsOf } from './form-parts.js'
import { keyOf, type OperationState } from './state.js'

export interface PlannedRequest {
  readonly url: string
  readonly method: string
  /** Without the token. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | undefined
}

/** A parameter, and the texts that are sent for it: none where its field is empty. */
export interface GivenParameter {
  readonly parameter: Parameter
  readonly values: readonly string[]
}

/** The schema of a parameter, whichever way it is written. */
export const schemaOf = ({ schema, content }: Parameter): Schema | undefined =>
  schema ?? content?.['application/json']?.schema

/** A list has one value a line. */
export function given (
  { parameters = [] }: Action, fields: Readonly<Record<string, string>>, description: ApiDescription
): GivenParameter[] {
  return parameters.map(parameter => {
    const text = fields[keyOf(parameter)] ?? ''
    const isList = parameter.content === undefined && description.schema(schemaOf(parameter)).type === 'array'
    const values = text === '' ? [] : isList ? text.split('\n').filter(line => line !== '') : [text]
    return { parameter, values }
  })
}

/** The request that an operation's fields make. Reads its signals. */
export function planRequest (state: OperationState, description: ApiDescription): PlannedRequest {
  const { action, fields, body, parts } = state
  const request = withoutBody(action, fields.value, description)
  const { requestBody } = action
  if (requestBody === undefined) return request
  if (isForm(requestBody)) return { ...request, body: formOf(partsOf(requestBody, description), parts.value) }
  const text = body.value.trim()
  if (requestBody.content['application/json'] === undefined || text === '') return request
  return { ...request, headers: { ...request.headers, 'Content-Type': 'application/json' }, body: text }
}

/** The address and the headers of a request. */
export function withoutBody (
  action: Action, fields: Readonly<Record<string, string>>, description: ApiDescription
): PlannedRequest {
  let { path } = action
  const query = new URLSearchParams()
  const headers: Record<string, string> = { Accept: accepted(action) }
  for (const { parameter: { name, in: position }, values } of given(action, fields, description)) {
    for (const value of values) {
      if (position === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
      else if (position === 'query') query.append(name, value)
      else headers[name] = value
    }
  }
  const search = query.toString()
  return {
    url: `${description.base}${path}${search === '' ? '' : `?${search}`}`, method: action.verb, headers, body: undefined
  }
}

/** Streams are requested as events, which can be shown as they come. */
function accepted ({ responses }: Action): string {
  const types = Object.values(responses).flatMap(response =>
    '$ref' in response ? [] : Object.keys(response.content ?? {}))
  return types.includes('text/event-stream')
    ? 'text/event-stream'
    : types.every(type => type === 'application/json') ? 'application/json' : '*/*'
}

/** Required parameters of the path whose fields are empty: no request can be made without them. */
export const missingOf = (state: OperationState): string[] =>
  (state.action.parameters ?? [])
    .filter(parameter => parameter.in === 'path' && (state.fields.value[keyOf(parameter)] ?? '') === '')
    .map(({ name }) => name)
