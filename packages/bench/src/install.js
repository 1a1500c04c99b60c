import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PEERS_FOLDER } from './paths.js'

/** `npm ci` in every peer's folder; native modules are compiled, since nothing else than the registry is asked. */
export function installPeers () {
  const failed = []
  for (const peer of readdirSync(PEERS_FOLDER)) {
    process.stdout.write(`\n# ${peer}\n`)
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: join(PEERS_FOLDER, peer),
      stdio: 'inherit',
      env: { ...process.env, npm_config_build_from_source: 'true' }
    })
    if (status !== 0) failed.push(peer)
  }
  return failed
}
