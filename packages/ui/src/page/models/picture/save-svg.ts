/** The picture as a file: SVG with its colours in it, so that it looks the same everywhere. */
import type { Graph } from './graph.js'
import { pathThrough } from './paths.js'

/** Saves a drawing of the whole graph. */
export function saveSvg (graph: Graph): void {
  const address = URL.createObjectURL(new Blob([svgOf(graph)], { type: 'image/svg+xml' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'models.svg'
  link.click()
  URL.revokeObjectURL(address)
}

/** The drawing as text. Names are text in it, whatever is in them. */
function svgOf ({ boxes, lines, width, height }: Graph): string {
  const parts = [
    ...lines.map(line => `<path d="${pathThrough(line.points)}" fill="none" stroke="#8b8b99"/>`),
    ...boxes.map(({ model, x, y, width: w, height: h, lines: properties, left }) => [
      `<g transform="translate(${x} ${y})"><rect width="${w}" height="${h}" rx="10" fill="#fff" stroke="#d4d4dd"/>`,
      text(14, 22, model.name, 'font-weight="600"'),
      `<path d="M0 34H${w}" stroke="#e4e4ea"/>`,
      ...properties.flatMap(({ name, type }, index) => [
        text(14, 50 + index * 21, name), text(w - 12, 50 + index * 21, type, 'text-anchor="end" fill="#5b5b68"')
      ]),
      ...left > 0 ? [text(14, 50 + properties.length * 21, `and ${left} more`, 'fill="#5b5b68"')] : [],
      '</g>'
    ].join(''))
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" ` +
    `width="${Math.ceil(width)}" height="${Math.ceil(height)}" font-family="system-ui, sans-serif" font-size="13">${parts.join('')}</svg>`
}

const text = (x: number, y: number, value: string, more = ''): string =>
  `<text x="${x}" y="${y}"${more === '' ? '' : ` ${more}`}>${escaped(value)}</text>`

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
