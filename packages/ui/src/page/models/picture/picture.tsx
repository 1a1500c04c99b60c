import { useMemo, useState } from 'preact/hooks'
import { modelAddress } from '../addresses.js'
import { boxWidth, type Box, type Graph, type Line } from './graph.js'
import { pathThrough } from './paths.js'
import type { Canvas } from './use-canvas.js'

/** Below this the properties are too small to read, and left out. */
const readable = 0.45

export function Picture ({ graph: { boxes, lines }, canvas }: { readonly graph: Graph, readonly canvas: Canvas }) {
  const [focused, setFocused] = useState<string | undefined>(undefined)
  const { x, y, scale } = canvas
  const isFar = scale < readable
  // What is moved and zoomed is the same picture: it is not drawn again for that.
  const drawn = useMemo(() => {
    const ends = lines.flatMap(({ from, to }) => from === focused || to === focused ? [from, to] : [])
    const near = new Set([focused, ...ends])
    return (
      <>
        {lines.map(line => (
          <LineView
            key={`${line.from} ${line.to}`} line={line} isNear={line.from === focused || line.to === focused}
            isDim={focused !== undefined}
          />
        ))}
        {boxes.map(box => (
          <BoxView
            key={box.model.name} box={box} isDim={focused !== undefined && !near.has(box.model.name)} isFar={isFar}
            onFocus={isOn => { setFocused(isOn ? box.model.name : undefined) }}
          />
        ))}
      </>
    )
  }, [boxes, lines, focused, isFar])
  return (
    <svg
      class="model-picture" ref={canvas.element} tabIndex={0} role="group"
      aria-label="Models and their relations. The arrow keys move the picture, plus and minus zoom it."
      onPointerDown={canvas.onPointerDown} onKeyDown={canvas.onKeyDown}
    >
      <g transform={`translate(${x} ${y}) scale(${scale})`}>{drawn}</g>
    </svg>
  )
}

function LineView ({ line, isNear, isDim }: {
  readonly line: Line
  readonly isNear: boolean
  readonly isDim: boolean
}) {
  const middle = line.points[Math.floor(line.points.length / 2)]
  return (
    <g class={`line ${isNear ? 'near' : isDim ? 'dim' : ''}`}>
      <title>{line.relations.map(({ model, name, type }) => `${model}.${name} (${type})`).join(', ')}</title>
      <path d={pathThrough(line.points)}/>
      <End points={line.points} isMany={line.many[0]}/>
      {isNear && middle !== undefined && (
        <text x={middle.x} y={middle.y - 6} text-anchor="middle">{line.relations.map(({ name }) => name).join(' · ')}</text>
      )}
    </g>
  )
}

/** A crow's foot where there are many rows. */
function End ({ points, isMany }: { readonly points: Line['points'], readonly isMany: boolean }) {
  const [first, second] = points
  if (first === undefined || second === undefined || !isMany) return null
  const angle = Math.atan2(second.y - first.y, second.x - first.x)
  const at = (along: number, aside: number): string => {
    const [x, y] = [Math.cos(angle), Math.sin(angle)]
    return `${first.x + x * along - y * aside} ${first.y + y * along + x * aside}`
  }
  return <path d={`M${at(0, -6)}L${at(10, 0)}L${at(0, 6)}`}/>
}

function BoxView ({ box: { model, x, y, width, height, lines, left }, isDim, isFar, onFocus }: {
  readonly box: Box, readonly isDim: boolean, readonly isFar: boolean, readonly onFocus: (isOn: boolean) => void
}) {
  const { name, relations, properties } = model
  const related = relations.map(({ type, target }) => `${type} ${target ?? 'others'}`).join(', ')
  return (
    <g class={isDim ? 'dim' : ''} transform={`translate(${x} ${y})`}>
      <a
        href={modelAddress(name)} class={`box ${model.public ? '' : 'private'}`}
        aria-label={`${name}: ${properties.length} properties${related === '' ? '' : `; ${related}`}`}
        onPointerEnter={() => { onFocus(true) }} onPointerLeave={() => { onFocus(false) }}
        onFocus={() => { onFocus(true) }} onBlur={() => { onFocus(false) }}
      >
        <rect class="box-back" width={width} height={height} rx={10}/>
        <text class="box-name" x={14} y={22}>{cut(name, 22)}</text>
      </a>
      <g class="box-lines" aria-hidden="true">
        {!model.public && <text class="box-type" x={boxWidth - 12} y={22} text-anchor="end">not public</text>}
        <line class="box-rule" x1={0} x2={width} y1={34} y2={34}/>
        {!isFar && lines.map((line, index) => (
          <g key={line.name} transform={`translate(0 ${50 + index * 21})`}>
            <text class={line.isKey ? 'box-key' : ''} x={14}>{cut(line.name, 18)}</text>
            <text class="box-type" x={width - 12} text-anchor="end">{cut(line.type, 12)}</text>
          </g>
        ))}
        {!isFar && left > 0 && <text class="box-type" x={14} y={50 + lines.length * 21}>and {left} more</text>}
      </g>
    </g>
  )
}

const cut = (text: string, most: number): string => text.length > most ? `${text.slice(0, most - 1)}…` : text
