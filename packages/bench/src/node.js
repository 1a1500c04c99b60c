import { execFileSync } from 'node:child_process'
import { defaultDriver } from './sqlite.js'

/**
 * The Node that runs the servers, and the SQLite driver they use there.
 * @param {{ node?: string, driver?: string }} options
 * @returns {{ nodeVersion: string, driverUsed: string }}
 * @throws when there is no such Node, or it has not that driver
 */
export function serversNode ({ node, driver }) {
  const nodeVersion = node === undefined ? process.versions.node : versionOf(node)
  const own = defaultDriver(nodeVersion)
  if (driver === 'node:sqlite' && own !== driver) throw new Error(`--driver ${driver}: Node ${nodeVersion} has it behind a flag at best`)
  return { nodeVersion, driverUsed: driver ?? own }
}

function versionOf (node) {
  try {
    return execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    throw new Error(`--node: ${node} does not run`)
  }
}
