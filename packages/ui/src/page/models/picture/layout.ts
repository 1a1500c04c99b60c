/** Where boxes and lines of a graph are: they come in layers. It takes a second for a hundred boxes: see the worker. */
import { graphlib, layout } from '@dagrejs/dagre'

export interface Point { readonly x: number, readonly y: number }

/** A graph whose boxes are numbered. */
export interface Shape {
  readonly boxes: ReadonlyArray<{ readonly width: number, readonly height: number }>
  /** Numbers of the boxes that a line is between: of two, and at most one in each direction. */
  readonly lines: ReadonlyArray<readonly [from: number, to: number]>
}

export interface Laid {
  /** The middles of the boxes. */
  readonly boxes: readonly Point[]
  readonly lines: ReadonlyArray<readonly Point[]>
  readonly width: number
  readonly height: number
}

export function laidOut ({ boxes, lines }: Shape): Laid {
  const graph = new graphlib.Graph({ multigraph: false })
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 84, marginx: 24, marginy: 24 })
  graph.setDefaultEdgeLabel(() => ({}))
  // The library changes what it is given.
  for (const [index, size] of boxes.entries()) graph.setNode(String(index), { ...size })
  for (const [from, to] of lines) graph.setEdge(String(from), String(to))
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number, readonly height?: number }
  return {
    boxes: boxes.map((_size, index) => {
      const { x, y } = graph.node(String(index)) as Point
      return { x, y }
    }),
    lines: lines.map(([from, to]) => {
      const { points } = graph.edge(String(from), String(to)) as { readonly points: readonly Point[] }
      return points.map(({ x, y }) => ({ x, y }))
    }),
    width,
    height
  }
}
