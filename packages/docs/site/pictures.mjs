// Draws pictures from text: a block marked `picture` in a guide becomes an SVG, and is readable as text in the
// repository. Its first line is what the picture shows, for those who cannot see it. Each further line is a row of
// boxes with arrows:
//   Customer --hasMany orders--> Order
//   Order <--belongsTo customer-- Customer
// A box may have a second line (`Order / customerId`), an arrow no words (`---->`).

const font = 14
const height = 56
const gap = 28
const wide = text => [...text].length * font * 0.6

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** One row: boxes with the arrows between them. */
function parse (line) {
  const parts = line.split(/\s*(<--.*?--|--.*?-->)\s*/)
  return parts.map((part, index) => index % 2 === 0
    ? { lines: part.trim().split(/\s+\/\s+/) }
    : { back: part.startsWith('<'), label: part.replace(/^<?--|-->?$/g, '').trim() })
}

const text = (x, y, content, kind) =>
  `<text x="${Math.round(x)}" y="${Math.round(y)}" class="${kind}">${escaped(content)}</text>`

function drawBox ({ lines }, x, y, width) {
  const first = lines.length === 1 ? y + height / 2 + 5 : y + height / 2 - 4
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" class="box"/>`,
    ...lines.map((line, index) => text(x + width / 2, first + index * 20, line, index === 0 ? 'name' : 'note'))
  ].join('')
}

function drawArrow ({ back, label }, x, y, width) {
  const [from, to] = [x + 6, x + width - 6]
  const middle = y + height / 2
  const tip = back ? `M${from + 9} ${middle - 5}L${from} ${middle}L${from + 9} ${middle + 5}` : `M${to - 9} ${middle - 5}L${to} ${middle}L${to - 9} ${middle + 5}`
  return `<path d="M${from} ${middle}H${to}${tip}" class="arrow"/>${text(x + width / 2, middle - 9, label, 'label')}`
}

/**
 * The SVG of a picture's text. It takes the colours of the page, so that it is right in light and dark.
 * @param source the text, as above
 */
export function draw (source) {
  const [title, ...lines] = source.trim().split('\n').filter(line => line.trim() !== '')
  const rows = lines.map(parse)
  const boxWidth = Math.max(...rows.flat().filter(part => part.lines).flatMap(part => part.lines.map(wide))) + 28
  let [widest, y] = [0, 4]
  const drawn = rows.map(row => {
    let x = 4
    const parts = row.map(part => {
      const width = part.lines ? boxWidth : wide(part.label) + 40
      const shape = part.lines ? drawBox(part, x, y, width) : drawArrow(part, x, y, width)
      x += width
      return shape
    })
    widest = Math.max(widest, x)
    y += height + gap
    return parts.join('')
  })
  const [width, total] = [Math.ceil(widest + 4), y - gap + 4]
  // One that is wider than a telephone is moved sideways, by keys as well.
  const said = escaped(title)
  const size = `width="${width}" height="${total}" viewBox="0 0 ${width} ${total}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${said}" ${size}>${drawn.join('')}</svg>`
  const moved = `<div tabindex="0" role="group" aria-label="Picture: ${said}">${svg}</div>`
  return `<figure class="picture">${moved}<figcaption>${said}</figcaption></figure>\n`
}
