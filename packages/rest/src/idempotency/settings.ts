/** Which routes take a key by which repeats of a request have one effect, and how long responses are stored. */
import { Type, type Static } from '@sinclair/typebox'
import { bytesOf, Size } from '../parse/size.js'

const Count = Type.Optional(Type.Integer({ minimum: 1 }))

/** False: `Idempotency-Key` is not supported; true: with the defaults. */
export const IdempotencySchema = Type.Union([
  Type.Boolean(),
  Type.Object(
    {
      /** Name of the data source of stored responses. Default: that of the model, else the first that stores rows. */
      dataSource: Type.Optional(Type.String({ minLength: 1 })),
      /** Seconds that a response is stored. Default: 86,400. */
      ttl: Count,
      /** Seconds that a request may be under way before another process may take over. Default: 60. */
      lease: Count,
      /** Size of a response that is stored: bytes, or text like `256kb`. Default: `256kb`. */
      maxResponse: Type.Optional(Size),
      /** Whether POST and PATCH are refused without a key. Default: false. */
      required: Type.Optional(Type.Boolean())
    },
    { additionalProperties: false }
  )
])
export type IdempotencySetting = Static<typeof IdempotencySchema>

/** What a model says: on or off, or what differs for it. */
type ModelSetting = boolean | Pick<Exclude<IdempotencySetting, boolean>, 'ttl' | 'required'>

/** With every default filled in. */
export interface IdempotencyLimits {
  readonly dataSource: string | undefined
  /** Seconds. */
  readonly ttl: number
  /** Seconds. */
  readonly lease: number
  /** Bytes. */
  readonly maxResponse: number
  readonly required: boolean
}

/**
 * What holds of the setting of the application, and of that of a model over it; undefined where keys are not supported.
 *
 * ```js
 * idempotencyLimits(true, { required: true }).ttl // 86400
 * idempotencyLimits(true, false) // undefined
 * ```
 */
export function idempotencyLimits (
  application: IdempotencySetting, model?: ModelSetting
): IdempotencyLimits | undefined {
  if ((model ?? application) === false) return undefined
  const said = {
    ...(typeof application === 'object' ? application : undefined),
    ...(typeof model === 'object' ? model : undefined)
  }
  const { dataSource, ttl = 86_400, lease = 60, maxResponse = '256kb', required = false } = said
  return { dataSource, ttl, lease, maxResponse: bytesOf(maxResponse), required }
}
