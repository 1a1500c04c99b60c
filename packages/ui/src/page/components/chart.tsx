/** Values over time as lines, drawn by uPlot when it is loaded; for the ear, the last of them. */
import { useEffect, useRef } from 'preact/hooks'
import type { Drawing } from './drawing.js'

export interface Series {
  readonly name: string
  /** A custom property of the styles: `--accent`. */
  readonly colour: string
  readonly values: readonly number[]
}

export interface ChartProps {
  readonly title: string
  /** Milliseconds since 1970. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

export function Chart (props: ChartProps) {
  const { title, series, format } = props
  const host = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    let isThere = true
    import('./drawing.js').then(({ draw }) => {
      if (isThere && host.current !== null) drawing.current = draw(host.current, latest.current)
    }, () => { /* The numbers above stay. */ })
    return () => {
      isThere = false
      drawing.current?.end()
    }
  }, [])
  useEffect(() => { drawing.current?.show(latest.current) })
  const last = series.map(({ name, values }) => `${name} ${format(values.at(-1) ?? 0)}`).join(', ')
  return (
    <figure class="chart card">
      <figcaption>
        <h3>{title}</h3>
        <p class="chart-now">
          {series.map(({ name, colour, values }) => (
            <span key={name}>
              <span class="swatch" style={{ background: `var(${colour})` }}/>{series.length > 1 ? `${name} ` : ''}
              <strong>{format(values.at(-1) ?? 0)}</strong>
            </span>
          ))}
        </p>
      </figcaption>
      <div class="chart-host" ref={host} role="img" aria-label={`${title} over the last minutes. Now: ${last}`}/>
    </figure>
  )
}
