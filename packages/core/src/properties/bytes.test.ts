import fc from 'fast-check'
import t from 'tap'
import { base64Of } from './bytes.js'
import { invalid, readBase64 } from './convert.js'
import type { ValidationError } from '../errors.js'
import { clientBytes } from '../operations/client-values.js'
import { parseWhere } from '../query/parse.js'
import { ModelRegistry } from '../registry.js'
import type { Row } from './types.js'

const bytes = Buffer.from([0, 1, 2, 255])

function models (settings: Row = {}) {
  const registry = new ModelRegistry({ settings })
  const Part = registry.defineModel({ name: 'Part', base: 'Model', properties: { bytes: 'buffer', inner: 'Part' } })
  const Photo = registry.defineModel({
    name: 'Photo', properties: { bytes: 'buffer', tiles: ['buffer'], meta: { type: { raw: 'buffer', n: 'number' } }, part: 'Part', parts: ['Part'], any: 'any' }
  })
  return { Part, Photo }
}

const sent = { bytes: 'AAEC/w==', tiles: ['AAEC/w', null], meta: { raw: 'AAEC_w', n: 1 }, part: { bytes: 'AAEC/w==', inner: { bytes: 'AAEC/w==' } }, parts: [{ bytes: 'AAEC/w==' }], any: 'AAEC/w==' }
const meant = { bytes, tiles: [bytes, null], meta: { raw: bytes, n: 1 }, part: { bytes, inner: { bytes } }, parts: [{ bytes }], any: 'AAEC/w==' }

function violationsOf (fails: () => unknown): ValidationError | undefined {
  try {
    fails()
    return undefined
  } catch (error) {
    return error as ValidationError
  }
}

t.test('bytes are Base64 in JSON, wherever they stand in a row', async t => {
  const { Photo: { compiled } } = models()
  t.strictSame(clientBytes(compiled, sent), meant)
  const shown = { ...sent, tiles: ['AAEC/w==', null], meta: { raw: 'AAEC/w==', n: 1 } }
  t.strictSame(JSON.parse(compiled.stringify(compiled.coerce(meant, t.fail), false)), shown)
  const kept = JSON.parse(JSON.stringify(meant)) as Row
  t.strictSame(JSON.parse(compiled.stringify(kept, false)), shown, 'as a store has them within JSON')
  t.strictSame(compiled.coerce(clientBytes(compiled, { bytes: { type: 'Buffer', data: [0, 1, 2, 255] } }), t.fail), { bytes })
  t.strictSame(compiled.coerce(clientBytes(compiled, { bytes: { $type: 'base64', $data: 'AAEC/w==' } }), t.fail), { bytes })
  const nothing = { bytes: null, any: 1 }
  t.equal(clientBytes(compiled, nothing), nothing)
  t.strictSame(clientBytes(compiled, { bytes: '', part: '{"bytes":"AAEC/w=="}', parts: 'x', meta: 5 }), { bytes: Buffer.alloc(0), part: { bytes }, parts: 'x', meta: 5 })
  t.strictSame(compiled.coerce({ bytes: 'AAEC' }, t.fail), { bytes: Buffer.from('AAEC') }, 'in the process a text is its letters')
})

t.test('a text that is no Base64 is refused by the names of model and property', async t => {
  const { Photo: { compiled } } = models()
  const refused = (data: Row, path: string): void => {
    t.match(violationsOf(() => clientBytes(compiled, data)), { statusCode: 422, message: /`Photo`.*is not Base64/, violations: [{ path, code: 'format', info: { format: 'base64' } }] })
  }
  refused({ bytes: 'no, it is not' }, '.bytes')
  refused({ bytes: 'A' }, '.bytes')
  refused({ tiles: ['AA==', '!'] }, '.tiles[1]')
  refused({ meta: { raw: 'é' } }, '.meta.raw')
  refused({ parts: [{ inner: { bytes: '=A' } }] }, '.parts[0].inner.bytes')
  t.match(violationsOf(() => clientBytes(compiled, { bytes: '?' }, '[3]')), { violations: [{ path: '[3].bytes' }] })
})

t.test('bufferFormat: loopback', async t => {
  const { Photo: { compiled } } = models({ bufferFormat: 'loopback' })
  t.equal(compiled.readBytes, undefined)
  t.equal(clientBytes(compiled, sent), sent)
  const shown = { bytes: bytes.toJSON(), tiles: [bytes.toJSON()] }
  t.strictSame(JSON.parse(compiled.stringify({ bytes, tiles: [bytes] }, false)), shown)
  const registry = new ModelRegistry()
  const Old = registry.defineModel({ name: 'Old', properties: { bytes: 'buffer' }, bufferFormat: 'loopback' })
  t.strictSame(JSON.parse(Old.compiled.stringify({ bytes }, false)), { bytes: bytes.toJSON() })
  t.match(violationsOf(() => models({ bufferFormat: 'hex' }).Photo.compiled), { code: 'FBK_CORE_INVALID_SETTING' })
})

t.test('conditions from outside say what answers do', async t => {
  const { Photo: { compiled } } = models()
  const value = (where: Row, mode: keyof typeof compiled.parsing): unknown =>
    (parseWhere(compiled, where, compiled.parsing[mode]) as { value?: unknown } | undefined)?.value
  t.strictSame(value({ bytes: 'AAEC/w==' }, 'external'), bytes)
  t.strictSame(value({ bytes: { neq: 'AAEC/w==' } }, 'judged'), bytes)
  t.strictSame(value({ bytes: { type: 'Buffer', data: [0, 1, 2, 255] } }, 'external'), bytes)
  t.strictSame(value({ bytes: 'AAEC' }, 'internal'), Buffer.from('AAEC'))
  t.equal(value({ bytes: '!' }, 'external'), undefined, 'no row has it')
  t.match(violationsOf(() => value({ bytes: { neq: '!' } }, 'external')), { statusCode: 400 })
})

t.test('what is written is read, and nothing else is taken', async t => {
  t.doesNotThrow(() => {
    fc.assert(fc.property(fc.uint8Array(), given => {
      const text = base64Of(given) as string
      const bytes = Buffer.from(given)
      const isRead = (base64: string): boolean => bytes.equals(readBase64(base64) as Buffer)
      return isRead(text) && isRead(bytes.toString('base64url'))
    }))
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => {
      const read = readBase64(text)
      const isRead = (read === invalid ? '' : read.toString('base64url')).length === text.replaceAll('=', '').length
      return read === invalid ? /[^A-Za-z0-9+/_=-]|=|^.$/s.test(text) || text.length % 4 === 1 : isRead
    }))
  })
  t.equal(base64Of('AAEC'), undefined)
  t.equal(base64Of({ type: 'Buffer', data: ['x'] }), undefined)
  t.equal(base64Of(null), undefined)
})
