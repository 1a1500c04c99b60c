/**
 * Results of methods: from the values that a method gave to what `ctx.result` is and hooks see (behaviour.md, sections
 * 0 and 9).
 */
import type { ReturnDefinition, SharedMethod } from '@fastback/core'
import { encodeTagged } from '../parse/tagged.js'

/** What goes over the wire besides the body. */
export interface Targets {
  status: number | undefined
  headers: Array<[name: string, value: unknown]>
}

/**
 * Puts a method's values in their places: the root value, or an object of named ones; status and headers go to
 * `targets`.
 * @param values as called back, or as one value for a promise
 */
export function resultOf (
  method: { readonly returns: readonly ReturnDefinition[] }, values: readonly unknown[], targets: Targets
): unknown {
  const { returns } = method
  if (returns.length === 0) return undefined
  const named: Record<string, unknown> = {}
  let root: unknown
  let hasRoot = false
  returns.forEach((definition, index) => {
    const value = values[index]
    if (definition.http?.target !== undefined) setTarget(definition, value, targets)
    else if (definition.root === true) {
      root = value
      hasRoot = true
    } else named[nameOf(definition)] = encodeTagged(value)
  })
  return hasRoot ? root : named
}

const nameOf = (definition: ReturnDefinition): string =>
  definition.arg ?? (definition.name as string | undefined) ?? 'result'

function setTarget (definition: ReturnDefinition, value: unknown, targets: Targets): void {
  if (value === undefined || value === null) return
  if (definition.http?.target === 'status') targets.status = Number(value)
  else targets.headers.push([definition.http?.header ?? nameOf(definition), value])
}

/** Whether the root result is sent as it is: a file, a buffer, a stream. */
export function isFile (method: SharedMethod): boolean {
  return method.returns.some(({ root, type }) => root === true && (type === 'file' || type === 'ReadableStream'))
}

/** Whether the results are a stream of objects, sent as a JSON list or as events. */
export function isObjectStream (method: SharedMethod): boolean {
  return method.returns.some(({ type, json }) => type === 'ReadableStream' && json === true)
}
