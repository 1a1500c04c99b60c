/** Distances on the globe. */
import type { GeoPoint } from '../properties/types.js'

/** LoopBack's radius of the earth, in metres. */
const earthRadius = 6370990.56

/** The units of `near`, in metres. `radians` and `degrees` are angles at the centre of the earth. */
export const metresPer: ReadonlyMap<string, number> = new Map([
  ['kilometers', 1000],
  ['meters', 1],
  ['miles', earthRadius / 3958.75],
  ['feet', earthRadius / 20902200],
  ['radians', earthRadius],
  ['degrees', earthRadius / 57.2957795]
])

const radians = (degrees: number): number => degrees * Math.PI / 180

/**
 * Great-circle distance of two points in metres (haversine).
 *
 * ```js
 * distanceBetween({ lat: 0, lng: 0 }, { lat: 0, lng: 1 }) // about 111,195 metres
 * ```
 */
export function distanceBetween (a: GeoPoint, b: GeoPoint): number {
  const latitudes = Math.sin(radians(b.lat - a.lat) / 2)
  const longitudes = Math.sin(radians(b.lng - a.lng) / 2)
  const h = latitudes * latitudes + longitudes * longitudes * Math.cos(radians(a.lat)) * Math.cos(radians(b.lat))
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(h)))
}

/**
 * Whether a stored value has coordinates.
 *
 * ```js
 * isPoint({ lat: 52.5, lng: 13.4 }) // true
 * isPoint([52.5, 13.4]) // false
 * ```
 */
export function isPoint (value: unknown): value is GeoPoint {
  return (
    value !== null &&
    typeof value === 'object' &&
    typeof (value as GeoPoint).lat === 'number' &&
    typeof (value as GeoPoint).lng === 'number'
  )
}
