/** Which lists come in formats that are written row by row, and how large they may be. */
import { Type, type Static } from '@sinclair/typebox'
import type { ModelClass, SharedMethod } from '@fastback/core'
import { isCountable } from '../handlers/total-count.js'

const Count = Type.Optional(Type.Integer({ minimum: 1 }))

/** Limits of a response that is written row by row. False: there is none; true: with the limits that hold anyway. */
export const StreamingSchema = Type.Union([
  Type.Boolean(),
  Type.Object(
    {
      /** Rows of a response. Default: 1,000,000. */
      rows: Count,
      /** For which it may be written. Default: 60. */
      seconds: Count,
      /** Rows that are read at once. Default: 500. */
      pageSize: Count
    },
    { additionalProperties: false }
  )
])
export type Streaming = Static<typeof StreamingSchema>

/** With every default filled in. */
export type StreamingLimits = Readonly<Required<Exclude<Streaming, boolean>>>

const defaultStreamingLimits: StreamingLimits = { rows: 1_000_000, seconds: 60, pageSize: 500 }

/**
 * What holds of a setting of the application, and of one of the model over it.
 *
 * ```js
 * streamingLimits(true, { rows: 10 }) // { rows: 10, seconds: 60, pageSize: 500 }
 * streamingLimits(true, false) // undefined
 * ```
 */
function streamingLimits (...said: ReadonlyArray<Streaming | undefined>): StreamingLimits | undefined {
  if ((said.findLast(each => each !== undefined) ?? false) === false) return undefined
  return Object.assign({ ...defaultStreamingLimits }, ...said.filter(each => typeof each === 'object'))
}

/**
 * The limits of a method that gives a list of rows; undefined for any other, and where lists come as JSON only.
 *
 * ```js
 * streamingOf(method, settings.streaming)?.rows
 * ```
 */
export function streamingOf (
  method: SharedMethod, setting: Streaming, models: Readonly<Record<string, ModelClass>>
): StreamingLimits | undefined {
  const type = method.returns.find(({ root }) => root === true)?.type
  if (!isCountable(method) || !Array.isArray(type)) return undefined
  const [name] = type as unknown[]
  const own = typeof name === 'string' ? models[name]?.settings.streaming as Streaming | undefined : undefined
  return streamingLimits(setting, own)
}
