/**
 * Random applications, each answered by a real LoopBack 3 and by us: the same requests, the same responses, but for
 * what a rule overrules. RANDOM_APPLICATIONS says how many (default 300), RANDOM_SEED which is the first,
 * REAL_LOOPBACK a folder in which `loopback@3.28` and `loopback-boot@3` are installed; without one they are
 * installed from npm into a folder that goes with the test.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { applicationFor } from './application.js'
import { differencesOf } from './compare.js'
import { judge } from './overruled.js'
import { requestsFor } from './requests.js'
import { ours, realLoopBack, writeFolder } from './servers.js'

const howMany = Number(process.env.RANDOM_APPLICATIONS ?? 300)
const first = Number(process.env.RANDOM_SEED ?? 1)

function installed (): { readonly folder: string, remove (): void } {
  const given = process.env.REAL_LOOPBACK
  if (given !== undefined) return { folder: given, remove: () => {} }
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-real-'))
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', 'loopback@3.28.0', 'loopback-boot@3'], {
    cwd: folder, stdio: 'ignore'
  })
  return { folder, remove: () => { rmSync(folder, { recursive: true, force: true }) } }
}

t.test('random applications answer as on a real LoopBack', async t => {
  const { folder: realFolder, remove } = installed()
  const real = realLoopBack(realFolder)
  t.teardown(() => { real.close(); remove() })
  let asked = 0
  let alike = 0
  const byRule = new Map<string, number>()
  for (let seed = first; seed < first + howMany; seed++) {
    const application = applicationFor(seed)
    const requests = requestsFor(seed, application)
    const { folder, remove } = writeFolder(application.files)
    try {
      const expected = await real.ask(folder, requests)
      const { unexplained, overruled, uncounted } =
        judge(differencesOf(requests, expected, await ours.ask(folder, requests), application.loose))
      asked += requests.length - uncounted
      alike += requests.length - uncounted - unexplained.length
      for (const [rule, count] of overruled) byRule.set(rule, (byRule.get(rule) ?? 0) + count)
      for (const { sent, real, own } of unexplained) {
        t.comment(`seed ${seed}: ${JSON.stringify(sent)}\n  there ${JSON.stringify(real)}\n  here  ${JSON.stringify(own)}`)
      }
    } finally {
      remove()
    }
  }
  for (const [rule, count] of byRule) t.comment(`${count} overruled: ${rule}`)
  t.comment(`${alike} of ${asked} answers are alike`)
  t.ok(alike / asked >= 0.99, `${(100 * alike / asked).toFixed(2)} % of the answers are alike`)
})
