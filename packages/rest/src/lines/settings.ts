/** How much may be created from lines of JSON in one request. */
import { Type, type Static } from '@sinclair/typebox'
import { bytesOf, Size } from '../parse/size.js'

const Count = Type.Optional(Type.Integer({ minimum: 1 }))

export const LinesSchema = Type.Object(
  {
    /** Size of the whole body: bytes, or text like `1gb`. A line has the limit of a JSON body. Default: `100mb`. */
    bytes: Type.Optional(Size),
    /** Rows of one body. Default: 1,000,000. */
    rows: Count,
    /** For which the body may be sent: its transaction is open meanwhile. Default: 300. */
    seconds: Count
  },
  { additionalProperties: false }
)
export type LinesSetting = Static<typeof LinesSchema>

/** With every default filled in. */
export interface LineLimits {
  /** Bytes of the body. */
  readonly bytes: number
  /** Bytes of a line. */
  readonly line: number
  readonly rows: number
  readonly seconds: number
  /** Levels of nesting in a line. */
  readonly depth: number
}

/**
 * The limits of a setting.
 *
 * ```js
 * lineLimits({ rows: 5000 }, { line: 102400, depth: 64 }).rows // 5000
 * ```
 */
export const lineLimits = (
  { bytes = '100mb', rows = 1_000_000, seconds = 300 }: LinesSetting = {}, body: Pick<LineLimits, 'line' | 'depth'>
): LineLimits => ({ bytes: bytesOf(bytes), rows, seconds, ...body })
