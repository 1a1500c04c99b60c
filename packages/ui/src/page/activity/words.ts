/** Numbers in words. */

/** A duration in milliseconds: `850 µs`, `12 ms`, `1.4 s`. */
export function durationOf (milliseconds: number): string {
  if (milliseconds === 0) return '0 ms'
  if (milliseconds < 1) return `${Math.round(milliseconds * 1000)} µs`
  return milliseconds < 1000 ? `${rounded(milliseconds)} ms` : `${rounded(milliseconds / 1000)} s`
}

const rounded = (value: number): string => value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value))

/** How long something has been there: `3 days 4 h`, `2 min`. */
export function spanOf (milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return `${days} ${days === 1 ? 'day' : 'days'} ${hours} h`
  if (hours > 0) return `${hours} h ${minutes % 60} min`
  return minutes > 0 ? `${minutes} min` : `${Math.floor(milliseconds / 1000)} s`
}

/** Bytes: `180 MB`. */
export const bytesOf = (bytes: number): string =>
  bytes < 1024 ? `${Math.round(bytes)} B` : bytes < 1_048_576 ? `${Math.round(bytes / 1024)} kB` : `${Math.round(bytes / 1_048_576)} MB`
