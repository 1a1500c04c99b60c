// Builds the site: npm run site
// Pages are written to packages/docs/.site/pages, the site to packages/docs/.site/out. It fails upon a warning, a dead
// link, an anchor that is not there, and anything that a page would load from elsewhere.
// SITE_BASE=/fastback/ is for a site that does not stand at the root of its host. The packages must have been built.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { assemble } from './assemble.mjs'
import { faultsOf } from './check.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const site = path.join(here, '../.site')
const vitepress = path.join(path.dirname(createRequire(import.meta.url).resolve('vitepress/package.json')), 'bin/vitepress.js')

assemble(path.join(site, 'pages'))
const { status, stdout, stderr } = spawnSync(process.execPath, [vitepress, 'build', here], {
  encoding: 'utf8', maxBuffer: 1 << 26, env: { ...process.env, NO_COLOR: '1', NODE_ENV: 'production' }
})
const said = `${stdout}${stderr}`
const warnings = said.split('\n').filter(line => /warn|\(!\)|falling back|dead link/i.test(line))
if (status !== 0 || warnings.length > 0) {
  console.log(said)
  console.log(`FAULT vitepress ended with ${status}, ${warnings.length} warnings`)
  process.exitCode = 1
} else {
  const { faults, pages, links } = faultsOf(path.join(site, 'out'), process.env.SITE_BASE ?? '/')
  for (const fault of faults) console.log(`FAULT ${fault}`)
  console.log(`${pages} pages, ${links} links, ${faults.length} faults: ${path.relative(process.cwd(), path.join(site, 'out'))}`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
