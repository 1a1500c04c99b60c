/** Whether several operations may come in one request, and how many. */
import { Type, type Static } from '@sinclair/typebox'
import { bytesOf, Size } from '../parse/size.js'

const Count = Type.Optional(Type.Integer({ minimum: 1 }))

/** False: there is no route `/batch`; true: with the defaults. */
export const BatchSchema = Type.Union([
  Type.Boolean(),
  Type.Object(
    {
      /** Operations of a batch. Default: 100. */
      maxOperations: Count,
      /** Size of the body: bytes, or text like `1mb`. Each operation has the limit of a request. Default: `1mb`. */
      bodyLimit: Type.Optional(Size),
      /** Size of all responses together. Default: `10mb`. */
      maxResponse: Type.Optional(Size),
      /** For which operations are begun. Default: 30. */
      seconds: Count
    },
    { additionalProperties: false }
  )
])
export type BatchSetting = Static<typeof BatchSchema>

/** With every default filled in. */
export interface BatchLimits {
  readonly maxOperations: number
  /** Bytes. */
  readonly bodyLimit: number
  /** Bytes. */
  readonly maxResponse: number
  readonly seconds: number
}

/**
 * The limits of a setting; undefined where there is no batch.
 *
 * ```js
 * batchLimits({ maxOperations: 20 }) // { maxOperations: 20, bodyLimit: 1048576, maxResponse: 10485760, seconds: 30 }
 * ```
 */
export function batchLimits (setting: BatchSetting): BatchLimits | undefined {
  if (setting === false) return undefined
  const { maxOperations = 100, bodyLimit = '1mb', maxResponse = '10mb', seconds = 30 } = setting === true ? {} : setting
  return { maxOperations, bodyLimit: bytesOf(bodyLimit), maxResponse: bytesOf(maxResponse), seconds }
}
