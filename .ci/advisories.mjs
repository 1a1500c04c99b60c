// Asks the registry for known advisories about what users of the packages install: npm run advisories
// High and critical ones fail, others are told. Where no source of advisories can be reached it says so, and passes: a
// release asks again.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const asked = spawnSync('npx', ['--yes', packageManager, 'audit', '--prod', '--json'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
  timeout: 120_000
})

let answer
try {
  answer = JSON.parse(asked.stdout)
} catch {
  answer = { error: { message: asked.error?.message ?? (asked.stderr.trim() || 'no response') } }
}

if (answer.error !== undefined || answer.advisories === undefined) {
  console.log(
    `WARNING: no source of advisories can be reached, nothing was checked (${String(answer.error?.message ?? 'no list in the answer').split('\n')[0]})`
  )
} else {
  const advisories = Object.values(answer.advisories)
  const grave = advisories.filter(({ severity }) => severity === 'high' || severity === 'critical')
  for (const { severity, module_name: name, title, url, findings = [] } of advisories) {
    console.log(
      `${grave.some(each => each.url === url) ? 'FAIL   ' : 'warning'} ${severity}: ${name}: ${title} (${url})${findings[0] === undefined ? '' : `, by ${findings[0].paths[0]}`}`
    )
  }
  console.log(`${advisories.length} advisories, ${grave.length} of them high or critical`)
  process.exitCode = grave.length === 0 ? 0 : 1
}
