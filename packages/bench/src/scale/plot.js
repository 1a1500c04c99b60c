// A plot as SVG, of what a request costs (µs, from 0) as something grows (by powers of ten).

const WIDTH = 640
const HEIGHT = 320
const LEFT = 56
const RIGHT = 140
const TOP = 32
const BOTTOM = 40
/** Height of a line of text. */
const LINE = 14
const COLOURS = ['#1f6feb', '#bf5700', '#2da44e', '#8250df']

/**
 * @param {string} axis what grows
 * @param {Array<{ step: number, load: string, microseconds: number }>} points
 */
export function plot (axis, points) {
  const steps = [...new Set(points.map(({ step }) => step))].sort((a, b) => a - b)
  const loads = [...new Set(points.map(({ load }) => load))]
  const most = niceAbove(Math.max(...points.map(({ microseconds }) => microseconds)))
  const low = Math.log10(steps[0])
  const high = Math.max(low + 1, Math.log10(steps.at(-1)))
  const x = step => LEFT + (Math.log10(step) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
  const y = value => HEIGHT - BOTTOM - value / most * (HEIGHT - TOP - BOTTOM)
  const lines = []
  for (let mark = 0; mark <= 4; mark++) {
    const value = most * mark / 4
    lines.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(y(value))}" y2="${at(y(value))}" stroke="#8c959f" stroke-width="0.5"/>`,
      `<text x="${LEFT - 8}" y="${at(y(value) + 4)}" text-anchor="end">${value}</text>`
    )
  }
  for (const step of steps) lines.push(`<text x="${at(x(step))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${step.toLocaleString('en-US')}</text>`)
  const ends = apart(loads.map(load => y(points.findLast(each => each.load === load).microseconds)))
  loads.forEach((load, i) => {
    const colour = COLOURS[i % COLOURS.length]
    const own = points.filter(each => each.load === load)
    lines.push(
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${own.map(each => `${at(x(each.step))},${at(y(each.microseconds))}`).join(' ')}"/>`,
      ...own.map(each => `<circle cx="${at(x(each.step))}" cy="${at(y(each.microseconds))}" r="3" fill="${colour}"/>`),
      `<text x="${at(x(own.at(-1).step) + 8)}" y="${at(ends[i] + 4)}" fill="${colour}">${load}</text>`
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#57606a">
<title>What a request costs, by ${axis}</title>
<text x="${LEFT}" y="18">µs of processor time per request</text>
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${axis}</text>
${lines.join('\n')}
</svg>
`
}

/** Heights of names that would stand in each other's way, moved down. */
function apart (heights) {
  const moved = [...heights]
  let last = -Infinity
  for (const i of [...heights.keys()].sort((a, b) => heights[a] - heights[b])) {
    last = moved[i] = Math.max(heights[i], last + LINE)
  }
  return moved
}

const at = number => number.toFixed(1)

/** The next of 1, 2, 4, 8 times a power of ten. */
function niceAbove (value) {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 8, 10].map(factor => factor * power).find(each => each >= value)
}
