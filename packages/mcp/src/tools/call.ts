/** A call of a tool: of the method behind it, through its route, in the name of the request's caller. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { RequestError } from '@fastback/core'
import { errorOf, type CallsOfRequest } from '@fastback/rest/calls'
import { limitExceeded } from '../access/request-errors.js'
import type { McpLimits } from '../options.js'
import { checkedArguments, routeArguments, type Arguments } from './inputs.js'
import { dataResult, doneResult, failedResult } from './results.js'
import type { Tool } from './tools.js'

/** What came of a call, for the client and for the record. */
export interface Outcome {
  readonly result: CallToolResult
  readonly status: number
  /** Of an error. */
  readonly code?: string
}

export interface Calling {
  readonly calls: CallsOfRequest
  readonly limits: McpLimits
}

/** What a method refuses is a result as well: agents read it, and do better. */
export async function callTool (tool: Tool, given: Arguments, { calls, limits }: Calling): Promise<Outcome> {
  try {
    const args = withLimit(tool, checkedArguments(tool.inputs, given), limits)
    const { status, text } = await calls.send(tool.route, routeArguments(tool.inputs, args))
    if (status >= 400) return failure({ statusCode: status, ...errorOf(text, status) }, status)
    if (text.length <= limits.result) return { status, result: dataResult(tool.name, text) }
    if (!tool.isRead) return { status, result: doneResult(`Done. The result has ${text.length} characters, more than are sent here.`) }
    throw limitExceeded(`The result has ${text.length} characters, and may have ${limits.result} (limit "result"): ask for fewer rows, properties or related rows.`)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const { statusCode, name, message, code } = error
    return failure({ statusCode, name, message, code }, statusCode)
  }
}

function failure (error: Readonly<Record<string, unknown>>, status: number): Outcome {
  const { code } = error
  return { status, result: failedResult(error), ...(typeof code === 'string' ? { code } : {}) }
}

/** A list has a limit. */
function withLimit ({ listFilter }: Tool, args: Arguments, { rows }: McpLimits): Arguments {
  if (listFilter === undefined) return args
  const filter = (args[listFilter] ?? {}) as Readonly<Record<string, unknown>>
  const { limit } = filter
  if (limit === undefined || limit === null) return { ...args, [listFilter]: { ...filter, limit: rows } }
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 1 || limit > rows) {
    throw limitExceeded(`"limit" of the filter is an integer from 1 to ${rows}: read further rows with "skip", or by a condition.`)
  }
  return args
}
