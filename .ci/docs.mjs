// Checks that the documents say what the code does: npm run docs
//   1. Every rule number and section that code, tests and READMEs cite stands in packages/docs/rules.
//   2. Every file that the documents name is there.
//   3. Every FBK_ code in a README is one of the sources, and each package's table of errors is up to date.
//   4. What "fastback explain" reads (packages/cli/errors.json) is what the sources say of every error.
//   5. Every function and class that an entry point of a package exports has a docstring with an example.
//   6. Every CHANGELOG.md says what its package's version brings, by names that there are.
//   7. Every code block marked js or ts in a README runs. How blocks are marked: packages/docs/README.md.
// node .ci/docs.mjs --write      writes the tables of errors, and what "fastback explain" reads
// node .ci/docs.mjs --no-run     leaves the blocks out
// node .ci/docs.mjs FILE ...     only the blocks of these files
// Ends with 1 when something is wrong; each fault is one line with file and line. The packages must have been built.
import { parseArgs } from 'node:util'
import { blocksOf } from './docs/blocks.mjs'
import { checkChangelogs } from './docs/changelogs.mjs'
import { checkCitations } from './docs/citations.mjs'
import { checkEntryPoints } from './docs/entries.mjs'
import { checkErrorTables } from './docs/error-tables.mjs'
import { checkExplanations } from './docs/explanations.mjs'
import { documents } from './docs/files.mjs'
import { checkNamedFiles } from './docs/named-files.mjs'
import { runBlocks } from './docs/run-blocks.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, 'no-run': { type: 'boolean', default: false } }
})

const faults = positionals.length > 0
  ? []
  : [
      ...checkCitations(), ...checkNamedFiles(), ...checkErrorTables({ write: values.write }),
      ...checkExplanations({ write: values.write }), ...checkEntryPoints(), ...checkChangelogs()
    ]

const blocks = documents().filter(file => positionals.length === 0 || positionals.includes(file)).flatMap(blocksOf)
const runnable = blocks.filter(({ runs }) => runs)
if (!values.write && !values['no-run']) {
  const report = ({ file, line }, milliseconds, problem) => {
    console.log(`${problem === undefined ? 'ok  ' : 'FAIL'} ${file}:${line} (${milliseconds} ms)`)
  }
  faults.push(...await runBlocks(runnable, report))
}

for (const fault of faults) console.log(`FAULT ${fault}`)
const left = blocks.length - runnable.length
console.log(`${runnable.length} blocks that run, ${left} that do not, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
