import t from 'tap'
import { Sealing } from './sealing.js'

const secret = 'a secret of at least 32 characters'
/** As version 0.1 wrote it. */
const earlier = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwic2FsdCI6Inc4Nm1VZlJ2SGJuWHBTcEYyQ1FiWWcifQ..IJcWFKtsWlW5HIUo.5PC9RIGx4XfM.xFmlabQ1cdB0NBvbPSFAAA'

t.test('values of secrets', async t => {
  const sealing = new Sealing([secret], 'what the values are')
  const sealed = sealing.seal({ key: 1 })
  t.match(sealed, /^fb1\./)
  t.strictSame(sealing.open(sealed), { key: 1 })
  t.equal(new Sealing([secret], 'others').open(sealed), undefined, 'another purpose')
  t.equal(new Sealing(['another secret of 32 characters…'], 'what the values are').open(sealed), undefined, 'another secret')
  t.strictSame(new Sealing(['another secret of 32 characters…', secret], 'what the values are').open(sealed), { key: 1 })
  t.equal(sealing.open(sealed.slice(0, -2)), undefined)
  t.ok(Sealing.isSealed(sealed))
})

t.test('values of earlier versions stay readable', async t => {
  const sealing = new Sealing([secret], 'what the values are')
  t.ok(Sealing.isSealed(earlier))
  t.strictSame(sealing.open(earlier), { key: 1 })
  t.equal(new Sealing([secret], 'others').open(earlier), undefined)
  t.equal(sealing.open(earlier.replace('..', '..A')), undefined)
  t.notOk(Sealing.isSealed('a.b.c'))
})
