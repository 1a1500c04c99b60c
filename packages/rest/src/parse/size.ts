import { Type } from '@sinclair/typebox'

/** Bytes as a number, or as a text with a unit: `100kb`, `5mb`. */
export const Size = Type.Union([
  Type.Integer({ minimum: 0 }),
  Type.String({ pattern: '^\\s*\\d+(?:\\.\\d+)?\\s*(?:[kKmMgG]?[bB])?\\s*$' })
])

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

/**
 * The number of bytes.
 *
 * ```js
 * bytesOf('100kb') // 102400
 * ```
 */
export function bytesOf (size: number | string): number {
  if (typeof size === 'number') return size
  const [, amount, unit = 'b'] = /^\s*([\d.]+)\s*([kmg]?b)?/i.exec(size) as RegExpExecArray
  return Math.floor(Number(amount) * (units[unit.toLowerCase()] as number))
}
