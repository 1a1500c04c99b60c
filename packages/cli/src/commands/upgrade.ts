import path from 'node:path'
import { defineCommand } from 'citty'
import { carryOut, writing } from '../changes/index.js'
import { checkLoopbackFolder } from '../check-folder.js'
import { directory } from '../common-options.js'
import { UpgradeLeftError, UsageError } from '../errors.js'
import { linkInCheckout } from '../own-package.js'
import type { Terminal } from '../terminal.js'
import { upgrade, type Upgrade, type UpgradeFinding } from '../upgrade.js'

export const upgradeCommand = defineCommand({
  meta: { name: 'upgrade', description: 'Show what in a folder was written for LoopBack 2, and repair it' },
  args: {
    ...directory,
    check: { type: 'boolean', description: 'End with 3 where something breaks' },
    fix: { type: 'boolean', description: 'Repair what can be repaired' },
    only: { type: 'string', description: 'These rules alone, with commas: UP-04,UP-06', valueHint: 'rules' },
    'keep-put': { type: 'boolean', description: 'PUT goes on patching: "replaceOnPUT": false in each model (UP-04)' },
    'keep-ids': { type: 'boolean', description: 'Clients go on choosing ids: "forceId": false in each model (UP-09)' },
    'rename-dots': { type: 'string', description: 'What stands in names of properties in place of dots, as in _ (UP-07)', valueHint: 'text' },
    stub: { type: 'boolean', description: 'A hook in place of each event that is gone, with the old code as a comment (UP-12)' },
    all: { type: 'boolean', description: 'All five properties that User had, in each user model (UP-14)' },
    ...writing
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    if (args.check === true && args.fix === true) throw new UsageError('"--check" writes nothing: leave "--fix" out, or ask for it afterwards.')
    if (args['rename-dots']?.includes('.') === true) throw new UsageError('"--rename-dots" needs something without a dot, as in "_".')
    const dir = path.resolve(terminal.cwd, args.dir)
    const found = await upgrade(dir, {
      fix: args.fix,
      only: args.only?.split(',').map(each => each.trim()).filter(each => each !== ''),
      keepPut: args['keep-put'],
      keepIds: args['keep-ids'],
      renameDots: args['rename-dots'],
      stub: args.stub,
      all: args.all,
      loopback: linkInCheckout('@fastback/loopback')
    })
    const { findings, changes, unread } = found
    const breaking = findings.filter(breaks)
    const packages = packagesToInstall(findings)
    const untried = breaking.length > 0
      ? 'something is left by hand'
      : packages.length > 0 ? 'packages are missing' : undefined
    const warnings = [
      ...unread.map(({ file, why }) => `${file} was not looked at: ${why}`),
      ...(args.fix === true && untried !== undefined && changes.changes.length > 0
        ? [`it was not tried whether the application starts: ${untried}`]
        : [])
    ]
    if (args.json !== true) terminal.print(report(found))
    if (args.fix === true) {
      const check = untried === undefined ? { check: async () => { await checkLoopbackFolder(dir) } } : {}
      const install = packages.length > 0 ? [`npm install ${packages.join(' ')}`] : ['npm install']
      await carryOut({
        command: 'upgrade', changes, warnings, report: { findings }, next: [...install, 'fastback upgrade --check', 'fastback serve'], ...check
      }, args, terminal)
      return
    }
    for (const warning of warnings) terminal.complain(`warning: ${warning}`)
    if (args.json === true) terminal.print(JSON.stringify({ command: 'upgrade', findings, warnings }, null, 2))
    if (args.check === true && breaking.length > 0) throw new UpgradeLeftError(String(breaking.length))
  }
})

const breaks = ({ severity, isWeak, fix }: UpgradeFinding): boolean => severity === 'breaks' && !isWeak && fix !== 'done'

/** Middleware that was a property of the framework, and is a package now. */
const packagesToInstall = (findings: readonly UpgradeFinding[]): string[] => [...new Set(findings
  .filter(({ rule, fix }) => rule === 'UP-03' && fix === 'done')
  .flatMap(({ what }) => /install "([^"]+)"/.exec(what)?.[1] ?? []))]

function report ({ findings }: Upgrade): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))]
  const lines = rules.flatMap(rule => [rule, ...findings.filter(each => each.rule === rule).flatMap(line), ''])
  const count = (kind: UpgradeFinding['severity']) => findings.filter(({ severity, fix }) => severity === kind && fix !== 'done').length
  const done = findings.filter(({ fix }) => fix === 'done').length
  return [
    ...lines,
    findings.length === 0
      ? 'Nothing found.'
      : `${count('breaks')} break, ${count('changes')} change, ${count('note')} to know${done === 0 ? '' : `; ${done} repaired`}`
  ].join('\n')
}

const line = ({ severity, file, line, column, what, fix, after, isWeak }: UpgradeFinding): string[] => [
  `  ${severity.padEnd(7)}  ${file}:${line}:${column}  ${what}${isWeak ? ' (weak: look yourself)' : ''}`,
  `           ${fix}${after === '' ? '' : `: ${after}`}`
]
