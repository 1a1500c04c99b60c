// A process of `all.mjs`: tests the files it is told, one after the other. Most of what a small file costs by itself is
// loading the packages, and running them before V8 has compiled them.
import { appendFileSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import tap from 'tap'
import { testFile } from './tap.mjs'

// Their names are from the root, where `all.mjs` has started this.
const { files, timeout } = JSON.parse(process.env.FASTBACK_TEST_FILES)
// A process that ends before all are tested has failed.
tap.plan(files.length)
for (const [source, compiled] of files) {
  const from = Date.now()
  const before = processorTime()
  await testFile(source, pathToFileURL(compiled).href, timeout)
  if (process.env.FASTBACK_TEST_TIMES === undefined) continue
  const seconds = [(Date.now() - from) / 1000, ...processorTime().map((each, i) => each - before[i])]
  appendFileSync(process.env.FASTBACK_TEST_TIMES, `${seconds.map(each => each.toFixed(1)).join('\t')}\t${source}\n`)
}

// What a test leaves open must not keep the others waiting for as long as all files may take: it is named instead.
setTimeout(() => {
  const open = process.getActiveResourcesInfo().join(', ')
  console.error(`# Ended: after the last of ${files.length} files it still waited for ${open}.`)
  process.exit()
}, 30_000).unref()

/** Seconds of the processor of this process, and of its children that have ended (Linux: proc(5), 14 to 17). */
function processorTime () {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(11, 15).map(each => each / 100)
  return [fields[0] + fields[1], fields[2] + fields[3]]
}
