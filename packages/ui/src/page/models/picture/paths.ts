/** The drawing of lines. */
import type { Line } from './graph.js'

type Point = Line['points'][number]

/** A smooth way through points, for the attribute `d`. */
export function pathThrough (points: Line['points']): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  const middle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 })
  const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`
  const parts = rest.map((point, index) => {
    const next = rest[index + 1]
    return next === undefined ? `L${at(point)}` : `Q${at(point)} ${at(middle(point, next))}`
  })
  return `M${at(first)}${parts.join('')}`
}

const round = (value: number): number => Math.round(value * 10) / 10
