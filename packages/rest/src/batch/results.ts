/** The response of a batch. */
import { errorOf, isObject, parsed } from '../calls/error-of.js'
import type { BatchOperation } from './operations.js'
import type { OperationResponse } from './operation-call.js'

/** Headers that a client may need for a row that it got by a batch. */
const shownHeaders = ['etag', 'location', 'last-modified', 'retry-after', 'idempotency-replayed']

/**
 * A result as JSON text: the body as it came, or the error of an operation that failed.
 * @param isOmitted whether the body is too much for the response
 */
export function resultText (
  { id }: BatchOperation, { status, headers, text }: OperationResponse, isOmitted: boolean
): string {
  const shown = shownHeaders.filter(name => headers[name] !== undefined).map(name => [name, headers[name]])
  const head = JSON.stringify({
    id, status, ...(shown.length === 0 ? {} : { headers: Object.fromEntries(shown) as object })
  })
  if (text === '') return head
  const member = isOmitted
    ? '"omitted":true'
    : status >= 400 ? `"error":${JSON.stringify(errorOf(text, status))}` : `"body":${jsonOf(text, headers)}`
  return `${head.slice(0, -1)},${member}}`
}

const jsonOf = (text: string, headers: OperationResponse['headers']): string =>
  /json/.test(String(headers['content-type'])) ? text : JSON.stringify(text)

/**
 * The body of a batch of which nothing was done: that of the operation that failed, with its position.
 *
 * ```js
 * failureText('{"error":{"statusCode":404}}', 404, 1) // '{"error":{"statusCode":404,"operation":1}}'
 * ```
 */
export function failureText (text: string, status: number, operation: number): string {
  const body = parsed(text) ?? { error: { statusCode: status } }
  const [root, ...others] = Object.entries(body)
  return JSON.stringify(root !== undefined && others.length === 0 && isObject(root[1])
    ? { [root[0]]: { ...root[1], operation } }
    : { ...body, operation })
}
