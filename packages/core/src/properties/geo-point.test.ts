import t from 'tap'
import { GeoPoint } from './geo-point.js'

t.test('points and their distances', async t => {
  const here = new GeoPoint({ lat: 10.32424, lng: 5.84978 })
  const there = new GeoPoint(42.26, 10.1)
  t.strictSame(JSON.parse(JSON.stringify(here)), { lat: 10.32424, lng: 5.84978 })
  t.equal(String(there), '42.26,10.1')
  t.strictSame({ ...new GeoPoint('42.26,10.1') }, { ...there })
  t.strictSame({ ...new GeoPoint([42.26, 10.1]) }, { ...there })
  const miles = here.distanceTo(there)
  t.ok(Math.abs(miles - 2223) < 2, String(miles))
  t.equal(GeoPoint.distanceBetween(here, there), miles)
  t.ok(Math.abs(here.distanceTo('42.26,10.1', { type: 'kilometers' }) / miles - 1.609) < 0.001)
  t.throws(() => here.distanceTo(there, { type: 'leagues' }), /no unit/)
  for (const wrong of ['x', { lat: 91, lng: 0 }, [1], { lat: 0, lng: 181 }]) {
    t.throws(() => new GeoPoint(wrong as never), TypeError)
  }
})

t.test('called without `new` it makes a point, too', async t => {
  const point = GeoPoint('42.26,10.1')
  t.ok(point instanceof GeoPoint)
  t.equal(point.constructor, GeoPoint)
  t.equal(GeoPoint.name, 'GeoPoint')
  t.strictSame({ ...point }, { lat: 42.26, lng: 10.1 })
  t.strictSame({ ...GeoPoint(1, 2) }, { lat: 1, lng: 2 })
  t.throws(() => GeoPoint('x'), TypeError)
})
