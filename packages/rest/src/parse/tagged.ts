/**
 * `{ "$type": "date", "$data": … }`: dates and buffers in JSON, decoded only where the argument asks for one
 * (security.md, S-31).
 */
import { parseDateTime } from './rfc3339.js'
import type { ArgumentType } from './schema.js'
import { ArgumentViolation } from './text.js'

const malformed = new ArgumentViolation('format', Object.freeze({ format: '$type' }), 'must be well-formed $type data')
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

/**
 * The value that a tagged object stands for, an `ArgumentViolation` when it is malformed, or `value` itself when it is
 * not tagged.
 */
export function decodeTagged (value: unknown, type: ArgumentType): unknown {
  const wanted =
    type.kind === 'date' || type.kind === 'date-time'
      ? 'date'
      : type.kind === 'buffer' || type.kind === 'file'
        ? 'base64'
        : undefined
  if (wanted === undefined || value === null || typeof value !== 'object' || !Object.hasOwn(value, '$type')) {
    return wanted === 'base64' && typeof value === 'string' ? Buffer.from(value, 'base64') : value
  }
  const { $type, $data } = value as { $type: unknown, $data?: unknown }
  if ($type !== wanted || typeof $data !== 'string') return malformed
  if (wanted === 'base64') return base64.test($data) ? Buffer.from($data, 'base64') : malformed
  return parseDateTime($data) ?? malformed
}

/**
 * A value of JSON with every tagged date and buffer in it decoded; an `ArgumentViolation` when one is malformed. What
 * has none is given back as it is; what has some is changed.
 */
export function decodeAll (value: unknown): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Date || Buffer.isBuffer(value)) return value
  const kind = Object.hasOwn(value, '$type') ? taggedKinds.get((value as { $type: unknown }).$type) : undefined
  if (kind !== undefined) return decodeTagged(value, { kind })
  const holder = value as Record<string, unknown>
  for (const key of Object.keys(holder)) {
    const decoded = decodeAll(holder[key])
    if (decoded instanceof ArgumentViolation) return decoded
    if (decoded !== holder[key]) holder[key] = decoded
  }
  return value
}

const taggedKinds: ReadonlyMap<unknown, 'date' | 'buffer'> = new Map([['date', 'date'], ['base64', 'buffer']])

/** A non-root result: dates and buffers are tagged, everything else is as it is (behaviour.md, section 0). */
export function encodeTagged (value: unknown): unknown {
  if (value instanceof Date) return { $type: 'date', $data: value.toJSON() }
  if (Buffer.isBuffer(value)) return { $type: 'base64', $data: value.toString('base64') }
  return value
}
