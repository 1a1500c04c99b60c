import UPlot, { type AlignedData, type Options } from 'uplot'
import type { ChartProps } from './chart.js'

export interface Drawing {
  show (props: ChartProps): void
  end (): void
}

/** Pixels. */
const height = 120

/** Draws into an element, as wide as it is, in the colours of the theme. */
export function draw (host: HTMLElement, first: ChartProps): Drawing {
  let shown = first
  let plot = make(host, shown)
  const again = (): void => {
    plot.destroy()
    plot = make(host, shown)
  }
  const sizes = new ResizeObserver(() => {
    const width = host.clientWidth
    if (width > 0 && width !== plot.width) plot.setSize({ width, height })
  })
  sizes.observe(host)
  // A canvas has the colours that it was drawn in.
  const themes = new MutationObserver(again)
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', again)
  return {
    show (props) {
      shown = props
      plot.setData(dataOf(props))
    },
    end () {
      sizes.disconnect()
      themes.disconnect()
      system.removeEventListener('change', again)
      plot.destroy()
    }
  }
}

const dataOf = ({ times, series }: ChartProps): AlignedData =>
  [times.map(time => time / 1000), ...series.map(({ values }) => [...values])] as AlignedData

function make (host: HTMLElement, props: ChartProps): UPlot {
  const colourOf = resolver(host)
  const [quiet, line] = [colourOf('--quiet'), colourOf('--line')]
  const font = '11px system-ui, sans-serif'
  const options: Options = {
    width: Math.max(host.clientWidth, 100),
    height,
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    padding: [8, 24, 0, 0],
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(most * 1.1, 0.001)] } },
    series: [
      {},
      ...props.series.map(({ name, colour }) => ({
        label: name, stroke: colourOf(colour), width: 1.5, points: { show: false }
      }))
    ],
    axes: [
      {
        stroke: quiet, font, size: 24, grid: { show: false }, ticks: { show: false },
        values: (_plot, values) => values.map(timeOf)
      },
      {
        stroke: quiet, font, size: 52, grid: { stroke: line, width: 1 }, ticks: { show: false }, splits: splitsOf,
        values: (_plot, values) => values.map(value => props.format(value))
      }
    ]
  }
  return new UPlot(options, dataOf(props), host)
}

/** `14:05:30` */
const timeOf = (seconds: number): string => new Date(seconds * 1000).toLocaleTimeString([], { hour12: false })

/** Three lines are enough for what is looked at in passing. */
const splitsOf = (_plot: UPlot, _axis: number, least: number, most: number): number[] =>
  [least, (least + most) / 2, most]

/** The value of a custom property as a colour that a canvas takes. */
function resolver (host: HTMLElement): (name: string) => string {
  const probe = document.createElement('span')
  host.append(probe)
  const found = new Map<string, string>()
  return name => {
    let colour = found.get(name)
    if (colour === undefined) {
      probe.style.color = `var(${name})`
      probe.remove()
      host.append(probe)
      colour = getComputedStyle(probe).color
      probe.remove()
      found.set(name, colour)
    }
    return colour
  }
}
