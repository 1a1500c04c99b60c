// A process of `all.mjs`: tests the files it is told, one after the other. Most of what a small file costs by itself is
// loading the packages, and running them before V8 has compiled them.
import { pathToFileURL } from 'node:url'
import tap from 'tap'
import { testFile } from './tap.mjs'

// Their names are from the root, where `all.mjs` has started this.
const { files, timeout } = JSON.parse(process.env.FASTBACK_TEST_FILES)
// A process that ends before all are tested has failed.
tap.plan(files.length)
for (const [source, compiled] of files) await testFile(source, pathToFileURL(compiled).href, timeout)
