/** Where a point is, on a coarse map of the world that needs no other server. */
import { outlines } from './world.js'

const x = (lng: number): number => lng + 180
const y = (lat: number): number => 90 - lat

const land = outlines.map(outline => `M${outline.map(([lng, lat]) => `${x(lng)} ${y(lat)}`).join('L')}Z`).join('')
const meridians = Array.from({ length: 11 }, (_, index) => (index + 1) * 30)
const parallels = Array.from({ length: 5 }, (_, index) => (index + 1) * 30)

/** @param lat from -90 to 90; @param lng from -180 to 180, in degrees */
export const GeoMap = ({ lat, lng }: { readonly lat: number, readonly lng: number }) =>
  <svg class="geo-map" viewBox="0 0 360 180" role="img" aria-label={`On a map of the world: ${coordinates(lat, lng)}`}>
    <rect class="sea" width="360" height="180"/>
    <path class="land" d={land}/>
    <path
      class="graticule"
      d={[...meridians.map(at => `M${at} 0V180`), ...parallels.map(at => `M0 ${at}H360`)].join('')}
    />
    <path class="cross" d={`M${x(lng)} 0V180M0 ${y(lat)}H360`}/>
    <circle class="point" cx={x(lng)} cy={y(lat)} r="4"/>
  </svg>

/**
 * A point in words.
 *
 * ```js
 * coordinates(-12, 77.25) // '12° S, 77.25° E'
 * ```
 */
export const coordinates = (lat: number, lng: number): string =>
  `${short(Math.abs(lat))}° ${lat < 0 ? 'S' : 'N'}, ${short(Math.abs(lng))}° ${lng < 0 ? 'W' : 'E'}`

const short = (degrees: number): string => String(Math.round(degrees * 1e4) / 1e4)
