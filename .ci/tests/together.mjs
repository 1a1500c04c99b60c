// A process of `all.mjs`: tests the files it is told, one after the other. Most of what a small file costs by itself is
// loading the packages, and running them before V8 has compiled them.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import tap from 'tap'
import { root } from './compile.mjs'
import { testFile } from './tap.mjs'

const { files, timeout } = JSON.parse(process.env.FASTBACK_TEST_FILES)
// A process that ends before all are tested has failed.
tap.plan(files.length)
for (const [source, compiled] of files) await testFile(source, pathToFileURL(path.join(root, compiled)).href, timeout)
