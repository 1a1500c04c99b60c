/** `loopback.GeoPoint`: points as code of LoopBack applications makes them. */
import { distanceBetween, metresPer } from '../query/geo.js'
import { toGeoPoint } from './convert.js'

type Given = string | readonly [number, number] | { readonly lat: number, readonly lng: number }

class Point {
  readonly lat: number
  readonly lng: number

  /** @throws TypeError for what is no point: latitudes go from -90 to 90, longitudes from -180 to 180 */
  constructor (given: Given | number, lng?: number | string) {
    const text = typeof given === 'number' || lng !== undefined ? [Number(given), Number(lng)] : given
    const point = toGeoPoint(text)
    if (typeof point !== 'object') {
      throw new TypeError(`A GeoPoint needs a latitude and a longitude, not ${JSON.stringify(given)}`)
    }
    this.lat = point.lat
    this.lng = point.lng
  }

  /**
   * The distance of two points.
   * @param options.type the unit: miles (default), kilometers, meters, feet, radians or degrees
   */
  static distanceBetween (a: Given, b: Given, { type = 'miles' }: { readonly type?: string } = {}): number {
    const unit = metresPer.get(type)
    if (unit === undefined) throw new TypeError(`"${type}" is no unit; there are ${[...metresPer.keys()].join(', ')}`)
    return distanceBetween(new Point(a), new Point(b)) / unit
  }

  /** The distance to another point, as `distanceBetween` gives it. */
  distanceTo (other: Given, options?: { readonly type?: string }): number {
    return Point.distanceBetween(this, other, options)
  }

  toString (): string {
    return `${this.lat},${this.lng}`
  }
}

export type GeoPoint = Point

/**
 * A point on the globe, in degrees; as JSON `{ lat, lng }`.
 *
 * ```js
 * const here = new loopback.GeoPoint({ lat: 10.32424, lng: 5.84978 })
 * here.distanceTo('42.26,10.1', { type: 'kilometers' })
 * const there = loopback.GeoPoint('42.26,10.1') // as with `new`
 * ```
 * @throws TypeError for what is no point
 */
// eslint-disable-next-line @typescript-eslint/no-redeclare -- a type and its constructor, as Date has them
export const GeoPoint: typeof Point & ((...given: ConstructorParameters<typeof Point>) => Point) =
  new Proxy(Object.defineProperty(Point, 'name', { value: 'GeoPoint' }), {
    apply: (Class, _this, given) => new Class(...given as ConstructorParameters<typeof Point>)
  }) as never
Object.defineProperty(Point.prototype, 'constructor', { value: GeoPoint, writable: true, configurable: true })
