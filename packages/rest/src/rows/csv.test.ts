import fc from 'fast-check'
import t from 'tap'
import { csvHeader, csvLine, type Column } from './csv.js'

const text = (name: string): Column => ({ name, kind: 'string' })
const line = (value: unknown, kind: Column['kind'] = 'string'): string => csvLine([{ name: 'it', kind }], { it: value })

/** A reader of RFC 4180 that takes nothing else: records end with CRLF, quotes stand around whole cells. */
function parse (csv: string): string[][] {
  const records: string[][] = []
  let cells: string[] = []
  for (let at = 0; at < csv.length;) {
    let cell = ''
    if (csv[at] === '"') {
      for (at++; ; at++) {
        if (at >= csv.length) throw new Error('a cell without an end')
        if (csv[at] !== '"') cell += csv[at]
        else if (csv[at + 1] === '"') cell += csv[at++]
        else break
      }
      at++
    } else {
      while (at < csv.length && !',\r\n"'.includes(csv[at] as string)) cell += csv[at++]
    }
    cells.push(cell)
    if (csv[at] === ',') at++
    else if (csv.startsWith('\r\n', at)) {
      at += 2
      records.push(cells)
      cells = []
    } else throw new Error(`no separator at ${at}`)
  }
  return records
}

const shown = (value: string): string => /^[=+\-@\t\r]/.test(value) ? `'${value}` : value

t.test('whatever texts are in it, a reader finds them again, and none that begins a formula', async t => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', "'", 'a', ' ', 'é', '😀') })
  )
  fc.assert(fc.property(fc.array(fc.tuple(cell, fc.option(cell)), { maxLength: 5 }), rows => {
    const columns = [text('a'), text('b')]
    const csv = csvHeader(columns) + rows.map(([a, b]) => csvLine(columns, { a, b })).join('')
    t.strictSame(parse(csv), [['a', 'b'], ...rows.map(([a, b]) => [shown(a), b === null ? '' : shown(b)])])
    for (const record of parse(csv)) for (const each of record) if (/^[=+\-@\t\r]/.test(each)) throw new Error(each)
  }), { numRuns: 500 })
})

t.test('objects and lists come as JSON that can be read again', async t => {
  fc.assert(fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue())), value => {
    const json = JSON.parse(JSON.stringify(value)) as unknown
    const [[cell]] = parse(line(json, 'any')) as [[string]]
    t.strictSame(JSON.parse(cell), json)
  }))
})

t.test('cells by type', async t => {
  t.equal(line('=1+1'), "'=1+1\r\n")
  t.equal(line('@SUM(A1),"x"'), '"\'@SUM(A1),""x"""\r\n')
  t.equal(line('=1+1', 'any'), "'=1+1\r\n", 'what may be a text')
  t.equal(line(-5, 'number'), '-5\r\n')
  t.equal(line('-9007199254740993', 'long'), '-9007199254740993\r\n', 'a whole number that JSON has as text')
  t.equal(line('-9007199254740993'), "'-9007199254740993\r\n", 'a text of the same letters')
  t.equal(line('=1', 'number'), "'=1\r\n", 'a text in the place of a number')
  t.equal(line('2026-01-02T03:04:05.678Z', 'date'), '2026-01-02T03:04:05.678Z\r\n')
  t.equal(line('+012026-01-02T03:04:05.678Z', 'date'), '+012026-01-02T03:04:05.678Z\r\n')
  t.equal(line('-cmd', 'date'), "'-cmd\r\n")
  t.equal(line(true, 'boolean'), 'true\r\n')
  t.equal(line(null), '""\r\n', 'a line of nothing would be no line')
  t.equal(csvLine([text('a'), text('b')], { a: null }), ',\r\n')
  t.equal(csvLine([text('a'), text('b')], null), ',\r\n')
  t.equal(csvHeader([text('=a'), text('b,c')]), '\'=a,"b,c"\r\n')
})
