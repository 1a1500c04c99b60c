/** Parameters in their places (OpenAPI 3.1, "Style Values" and "Style Examples"; service-connectors.md, SC-S2). */
import fc from 'fast-check'
import t from 'tap'
import { pairs, styleOf, write, type ParameterLocation } from './styles.js'

const array = ['blue', 'black', 'brown']
const object = { R: 100, G: 200, B: 150 }
const style = (given: object, place: ParameterLocation) => styleOf({ ...given }, 'color', place)

t.test('the table of the specification: paths and headers', async t => {
  const rows: Array<[string, boolean, string, string, string]> = [
    ['matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150']
  ]
  for (const [kind, explode, text, list, members] of rows) {
    const given = style({ style: kind, explode }, 'path')
    t.strictSame([write('blue', given), write(array, given), write(object, given)], [text, list, members], `${kind} ${String(explode)}`)
  }
  t.equal(write(['a b', 'c'], style({}, 'header')), 'a b,c', 'headers are not percent-encoded')
})

t.test('the table of the specification: queries', async t => {
  const rows: Array<[object, unknown, string]> = [
    [{}, array, 'color=blue&color=black&color=brown'],
    [{ explode: false }, array, 'color=blue,black,brown'],
    [{}, object, 'R=100&G=200&B=150'],
    [{ explode: false }, object, 'color=R,100,G,200,B,150'],
    [{ style: 'spaceDelimited' }, array, 'color=blue%20black%20brown'],
    [{ style: 'pipeDelimited' }, array, 'color=blue%7Cblack%7Cbrown'],
    [{ style: 'deepObject', explode: true }, object, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    [{ content: { 'application/json': {} } }, object, 'color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D'],
    [{}, new Date(0), 'color=1970-01-01T00%3A00%3A00.000Z'],
    [{ allowReserved: true }, '/a:b?c&d=e#f', 'color=/a:b?c%26d%3De%23f']
  ]
  for (const [given, value, text] of rows) t.equal(pairs(value, style(given, 'query')).join('&'), text)
  t.throws(() => pairs({ a: { b: 1 } }, style({}, 'query')), { code: 'INVALID_ARGUMENT', statusCode: 400 })
})

t.test('SC-S2: no value leaves its place', async t => {
  const kinds = fc.constantFrom('simple', 'label', 'matrix', 'form', 'deepObject', 'pipeDelimited')
  fc.assert(fc.property(fc.string({ unit: 'binary' }), kinds, fc.boolean(), (value, kind, explode) => {
    const given = style({ style: kind, explode, allowReserved: explode }, 'query')
    const [pair = ''] = pairs(value, given)
    const path = write(value, { ...given, place: 'path' })
    const address = new URL(`http://h.example/x/${path}/y?${pair}&z=1`)
    return address.hostname === 'h.example' && address.hash === '' && !/[/?#\\]/.test(path) &&
      [...address.searchParams.keys()].at(-1) === 'z' && address.searchParams.get('z') === '1'
  }), { numRuns: 10_000 })
})
