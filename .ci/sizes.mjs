// What the packages weigh, as a table: npm run sizes. The packages must have been built.
//   --write   writes the table into packages/docs/guides/sizes.md
//   --check   measures no times, and ends with 1 where the sizes there hold no longer
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { linkPackages } from './packages/consumer.mjs'
import { packAll, publishedFolders } from './packages/pack.mjs'
import { outdated, sizesOf, tableOf } from './packages/sizes.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const page = path.join(root, 'packages/docs/guides/sizes.md')
const { values: { write, check } } = parseArgs({
  options: { write: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } }
})
const marked = /(?<=<!-- sizes -->\n\n)[\s\S]*?(?=\n\n<!-- \/sizes -->)/

const out = mkdtempSync(path.join(tmpdir(), 'fastback-sizes-'))
try {
  const packages = packAll(root, publishedFolders(root), out)
  const project = path.join(out, 'project')
  mkdirSync(project)
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }\n')
  linkPackages(root, project, packages)
  const sizes = sizesOf(project, packages, check ? 0 : 7)
  if (check) {
    const faults = outdated(readFileSync(page, 'utf8'), sizes)
    for (const fault of faults) console.log(`FAULT ${fault}`)
    console.log(`${sizes.length} packages measured, ${faults.length} faults${
      faults.length === 0 ? '' : ': npm run sizes -- --write'}`)
    process.exitCode = faults.length === 0 ? 0 : 1
  } else {
    const { version, platform, arch } = process
    const where = `Node.js ${version.slice(1)}, ${platform} ${arch}, ${cpus().length} cores, ${
      new Date().toISOString().slice(0, 10)}:`
    const text = `${where}\n\n${tableOf(sizes)}`
    console.log(text)
    if (write) writeFileSync(page, readFileSync(page, 'utf8').replace(marked, () => text))
  }
} finally {
  rmSync(out, { recursive: true, force: true })
}
