import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import Fastify from 'fastify'
import fc from 'fast-check'
import t from 'tap'
import { canonicalJson } from './canonical-json.js'
import { visibleRow } from './revision.js'
import { rowCanonical } from './row-canonical.js'

t.test('SY-21: the text of a plain row is the canonical JSON of what clients see, and others have none', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: [{
      name: 'Thing',
      hidden: ['secret'],
      properties: {
        id: { type: 'string', id: true },
        z: 'string',
        'a "b"': 'number',
        on: 'boolean',
        at: 'date',
        any: 'any',
        secret: 'string',
        state: { type: 'string', default: 'new' },
        made: { type: 'string', defaultFn: 'guid' }
      }
    }],
    models: { Thing: { dataSource: 'db' } }
  })
  await app.ready()
  const Thing = app.models.Thing as never
  const text = fc.string({ unit: 'binary' })
  const others = fc.constantFrom(null, undefined, [1], { a: 1 }, 1n)
  const value = fc.oneof(text, fc.double(), fc.boolean(), fc.date(), others)
  const names = ['id', 'z', 'a "b"', 'on', 'at', 'any', 'secret', 'state', 'made']
  const row = fc.dictionary(fc.constantFrom(...names, 'undeclared'), value)
  let plain = 0
  fc.assert(fc.property(row, row => {
    const written = rowCanonical(Thing, { ...row })
    if (written === undefined) return
    plain++
    t.equal(written, canonicalJson(visibleRow(Thing, { ...row })))
  }), { numRuns: 2_000 })
  t.ok(plain > 50, `${plain} of them were plain`)
  t.equal(rowCanonical(Thing, { z: 'a' }), undefined, 'a default is missing')
  t.equal(rowCanonical(Thing, { z: 'a', state: 'old', secret: 'b' }), '{"state":"old","z":"a"}')
  t.equal(rowCanonical(Thing, { state: 'old', any: [1] }), undefined)
  t.equal(rowCanonical(Thing, { state: 'old', undeclared: 1 }), undefined)
})
