import type { ComponentChildren } from 'preact'

const tones = ['info', 'violet', 'good', 'warning', 'accent', 'plain'] as const

/**
 * The colour of a value: always the same, whatever else there is.
 *
 * ```js
 * toneOf('open') === toneOf('open') // true
 * ```
 */
function toneOf (value: string): typeof tones[number] {
  let hash = 0
  for (const letter of value) hash = (hash * 31 + (letter.codePointAt(0) as number)) % 65_521
  return tones[hash % tones.length] as typeof tones[number]
}

/**
 * A value of few, in a colour of its own.
 * @param of the values that there are: each of the first six has a colour that no other has
 */
export function Chip ({ value, of = [], children }: {
  readonly value: string, readonly of?: readonly unknown[], readonly children?: ComponentChildren
}) {
  const index = of.map(String).indexOf(value)
  return <span class={`chip ${index < 0 ? toneOf(value) : tones[index % tones.length]}`}>{children ?? value}</span>
}
