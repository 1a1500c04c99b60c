/**
 * A small seeded generator (mulberry32): the same seed gives the same data and the same requests on every machine.
 * @param {number} seed
 */
export function seeded (seed) {
  let state = seed >>> 0

  function next () {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from min to max, both included. */
  function integer (min, max) {
    return min + Math.floor(next() * (max - min + 1))
  }

  function pick (list) {
    return list[integer(0, list.length - 1)]
  }

  return { next, integer, pick }
}

/** A seed out of several parts, so that each (load, round) has its own. */
export function seedOf (...parts) {
  let hash = 2166136261
  for (const char of parts.join('|')) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619)
  return hash >>> 0
}
