import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { DRIVERS, defaultDriver, isAtLeast, openDatabase } = createRequire(import.meta.url)('./open-sqlite.cjs')

export { DRIVERS, defaultDriver, isAtLeast, openDatabase }

/** Native modules as they lie in a process. */
// Bounded: at most 4,096 characters, one path of a process's memory map.
const NATIVE = {
  'better-sqlite3': /\/better-sqlite3\/\S*\.node$/m,
  '@photostructure/sqlite': /\/@photostructure\/sqlite\/\S*\.node$/m
}

/**
 * The SQLite drivers that a process has really loaded, from its memory map. Node's own is in Node itself and leaves no
 * trace: it is what a server uses that has loaded neither of the others.
 * @param {number} pid
 */
export function loadedDrivers (pid) {
  const map = readFileSync(`/proc/${pid}/maps`, 'utf8')
  return Object.keys(NATIVE).filter(name => NATIVE[name].test(map))
}

/**
 * That a server runs on the driver that was asked for.
 * @throws when it has not loaded it, or another one in its place
 */
export function proveDriver (pid, driver) {
  const loaded = loadedDrivers(pid)
  const right = driver in NATIVE ? loaded.includes(driver) : loaded.length === 0
  if (!right) throw new Error(`was to use ${driver} and has loaded ${loaded.join(', ') || 'no native driver'}`)
}
