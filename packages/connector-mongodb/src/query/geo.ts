/** Distances: the database gives the points that can be near enough, the reference measures. */
import type { Comparison } from '@fastback/core'
import type { Document } from '../driver.js'
import type { Shape } from './shape.js'

/** The reference's radius of the earth in metres, and a little more than any error of rounding. */
const earthRadius = 6370990.56
const margin = 1.000001

/**
 * The points at most `maxDistance` away, and others. With GeoJSON a circle, which an index of the kind 2dsphere serves;
 * otherwise a stripe of latitudes, on which an index of `spot.lat` does.
 */
export function boxOf ({ lat, lng, maxDistance }: Comparison & { kind: 'near' }, shape: Shape, name: string): Document {
  const angle = maxDistance === undefined ? Infinity : (maxDistance / earthRadius) * margin + 1e-9
  if (!(angle < Math.PI / 2) || shape.kind !== 'scalar') return { [name]: { $exists: true } }
  if (shape.rule.geoJson) return { [name]: { $geoWithin: { $centerSphere: [[lng, lat], angle] } } }
  const degrees = (angle * 180) / Math.PI
  return { [`${name}.lat`]: { $gte: lat - degrees, $lte: lat + degrees } }
}
