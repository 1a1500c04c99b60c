/** `loopback.GeoPoint`. */
export { GeoPoint } from '@fastback/core/juggler'
