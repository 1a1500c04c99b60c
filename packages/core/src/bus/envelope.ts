/** A message with who sent it, and his number for it: who misses one, or gets one twice, sees it. */

export interface Envelope {
  /** The member that sent it. */
  readonly from: string
  /** 1 for a member's first message, one more for each that follows. */
  readonly number: number
  readonly topic: string
  readonly payload: unknown
}

export const wrapped = ({ from, number, topic, payload }: Envelope): string =>
  JSON.stringify([from, number, topic, payload])

/** Undefined for what no bus wrote: a channel of a server may carry anything. */
export function unwrapped (text: string): Envelope | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(parts)) return undefined
  const [from, number, topic, payload] = parts as unknown[]
  return typeof from === 'string' && Number.isSafeInteger(number) && typeof topic === 'string'
    ? { from, number: number as number, topic, payload }
    : undefined
}
