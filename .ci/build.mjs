// `npm run build`: JavaScript and types of all packages, file by file (tsc), then the bundles that their
// package.json exports and the page of packages/ui. Further arguments go to tsc: npm run build -- --noCheck
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compiler } from './compiler.mjs'

// CI has built, and what runs beside its tests reads the packages: they must not be written once more.
if (process.env.FASTBACK_BUILT === 'true') process.exit(0)

const root = fileURLToPath(new URL('..', import.meta.url))

const { status } = spawnSync(process.execPath, [compiler, '-b', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
const { bundlePackages } = await import('./bundle.mjs')
const { bundlePage } = await import('./page.mjs')
await Promise.all([bundlePackages(), bundlePage()])
