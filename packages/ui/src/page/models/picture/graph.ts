/** Models and their relations as a graph with a layout: boxes in layers, lines between them. */
import type { ModelDefinitionView } from '../../../contracts/models.js'
import type { Laid, Point, Shape } from './layout.js'

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
  readonly points: readonly Point[]
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
function linesBetween (models: readonly ModelDefinitionView[]): Unplaced[] {
  const names = new Set(models.map(({ name }) => name))
  const lines = new Map<string, Unplaced>()
  for (const { name: model, relations } of models) {
    for (const { name, type, target, through, embedded, holdsKey, multiple } of relations) {
      const to = through ?? target
      if (to === undefined || !names.has(to) || embedded) continue
      // From the side with the key to the one that it leads to.
      const [from, end] = holdsKey ? [model, to] : [to, model]
      const key = `${from} ${end}`
      const known = lines.get(key)
      const many: Line['many'] =
        [known?.many[0] === true || holdsKey || multiple, known?.many[1] === true || (holdsKey && multiple)]
      lines.set(key, { from, to: end, relations: [...known?.relations ?? [], { model, name, type }], many })
    }
  }
  return [...lines.values()]
}

/** Lays models and their relations out. @throws Error where the browser does not let the layout run */
export async function graphOf (models: readonly ModelDefinitionView[]): Promise<Graph> {
  const numbers = new Map(models.map(({ name }, index) => [name, index]))
  const numberOf = (name: string): number => numbers.get(name) as number
  const lines = linesBetween(models)
  const others = lines.filter(({ from, to }) => from !== to)
  const laid = await inWorker({
    boxes: models.map(sizeOf),
    lines: others.map(({ from, to }) => [numberOf(from), numberOf(to)])
  })
  const boxes = models.map((model, index): Box => {
    const { x, y } = laid.boxes[index] as Point
    const { width, height } = sizeOf(model)
    const keys = new Set(model.relations.map(({ foreignKey }) => foreignKey))
    const lines = model.properties.slice(0, mostLines)
      .map(({ name, type, id }) => ({ name, type, isKey: id || keys.has(name) }))
    const left = model.properties.length - lines.length
    return { model, x: x - width / 2, y: y - height / 2, width, height, lines, left }
  })
  const points = new Map(others.map((line, index) => [line, laid.lines[index] as readonly Point[]]))
  const placed = lines.map((line): Line =>
    ({ ...line, points: points.get(line) ?? bow(boxes[numberOf(line.from)] as Box) }))
  return { boxes, lines: placed, width: laid.width, height: laid.height }
}

async function inWorker (shape: Shape): Promise<Laid> {
  const worker = new Worker('layout-worker.js', { type: 'module' })
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Laid>) => { resolve(data) }
      worker.onerror = ({ message }) => { reject(new Error(message === '' ? 'its code could not be loaded' : message)) }
      worker.postMessage(shape)
    })
  } finally {
    worker.terminate()
  }
}

/** A model that leads to itself: a bow at its upper right corner. */
function bow ({ x, y, width }: Box): Line['points'] {
  const right = x + width
  return [{ x: right, y: y + 12 }, { x: right + 26, y: y - 6 }, { x: right - 8, y: y - 20 }, { x: right - 22, y }]
}
