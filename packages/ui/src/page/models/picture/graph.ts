/** Models and their relations as a graph with a layout: boxes in layers, lines between them. */
import type { ModelDefinitionView } from '../../../contracts/models.js'

/** Lengths in pixels, at zoom 1. */
export const boxWidth = 208
const headHeight = 34
const lineHeight = 21
/** Properties that a box shows. */
const mostLines = 8

export interface Box {
  readonly model: ModelDefinitionView
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly lines: ReadonlyArray<{ readonly name: string, readonly type: string, readonly isKey: boolean }>
  readonly left: number
}

export interface Line {
  readonly from: string
  readonly to: string
  /** The relations that it is for: those of both directions are one line. */
  readonly relations: ReadonlyArray<{ readonly model: string, readonly name: string, readonly type: string }>
  readonly points: ReadonlyArray<{ readonly x: number, readonly y: number }>
  /** Whether many rows are at the beginning, at the end. */
  readonly many: readonly [from: boolean, to: boolean]
}

export interface Graph {
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
}

type Unplaced = Omit<Line, 'points'>

const sizeOf = ({ properties }: ModelDefinitionView): { readonly width: number, readonly height: number } => ({
  width: boxWidth, height: headHeight + Math.min(properties.length, mostLines + 1) * lineHeight + 8
})

/** The lines between models: relations in both directions, and with the same key, are one. */
export function linesBetween (models: readonly ModelDefinitionView[]): Unplaced[] {
  const names = new Set(models.map(({ name }) => name))
  const lines = new Map<string, Unplaced>()
  for (const { name: model, relations } of models) {
    for (const { name, type, target, through, embedded } of relations) {
      const to = through ?? target
      if (to === undefined || !names.has(to) || embedded) continue
      // From the side with the key to the one that it leads to.
      const isKey = type === 'belongsTo' || type === 'referencesMany'
      const [from, end] = isKey ? [model, to] : [to, model]
      const key = `${from} ${end}`
      const known = lines.get(key)
      const many: Line['many'] = [known?.many[0] === true || type !== 'hasOne', known?.many[1] === true || type === 'referencesMany']
      lines.set(key, { from, to: end, relations: [...known?.relations ?? [], { model, name, type }], many })
    }
  }
  return [...lines.values()]
}

/** Loads the layout when there is something to lay out. */
export async function graphOf (models: readonly ModelDefinitionView[]): Promise<Graph> {
  const { graphlib, layout } = await import('@dagrejs/dagre')
  const graph = new graphlib.Graph({ multigraph: false })
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 84, marginx: 24, marginy: 24 })
  graph.setDefaultEdgeLabel(() => ({}))
  // The library keeps nodes by name in plain objects: a model may be called `__proto__`.
  const keys = new Map(models.map(({ name }, index) => [name, `node ${index}`]))
  const keyOf = (name: string): string => keys.get(name) as string
  for (const model of models) graph.setNode(keyOf(model.name), { ...sizeOf(model) })
  const lines = linesBetween(models)
  for (const { from, to } of lines) if (from !== to) graph.setEdge(keyOf(from), keyOf(to))
  layout(graph)
  const boxes = models.map((model): Box => {
    const { x, y } = graph.node(keyOf(model.name)) as { readonly x: number, readonly y: number }
    const { width, height } = sizeOf(model)
    const foreignKeys = new Set(model.relations.map(({ foreignKey }) => foreignKey))
    const lines = model.properties.slice(0, mostLines)
      .map(({ name, type, id }) => ({ name, type, isKey: id || foreignKeys.has(name) }))
    const left = model.properties.length - lines.length
    return { model, x: x - width / 2, y: y - height / 2, width, height, lines, left }
  })
  const byName = new Map(boxes.map(box => [box.model.name, box]))
  const edge = (from: string, to: string): unknown => graph.edge(keyOf(from), keyOf(to))
  const placed = lines.map((line): Line => ({ ...line, points: pointsOf(line, byName, { edge }) }))
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number, readonly height?: number }
  return { boxes, lines: placed, width, height }
}

interface Edges { edge (from: string, to: string): unknown }

function pointsOf ({ from, to }: Unplaced, boxes: ReadonlyMap<string, Box>, graph: Edges): Line['points'] {
  if (from !== to) return (graph.edge(from, to) as { readonly points: Line['points'] }).points
  // A model that leads to itself: a bow at its upper right corner.
  const { x, y, width } = boxes.get(from) as Box
  const right = x + width
  return [{ x: right, y: y + 12 }, { x: right + 26, y: y - 6 }, { x: right - 8, y: y - 20 }, { x: right - 22, y }]
}
