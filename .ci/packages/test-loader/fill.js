// Before the tests start (`npm test`): one process compiles what is new, and removes what nothing is made of any more.
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { cache, compiled, place, root } from './compiled.js'

const rooms = readdirSync(path.join(root, 'packages')).flatMap(name => [`packages/${name}/src`, `packages/${name}/test`])
const used = new Set()
mkdirSync(cache, { recursive: true })
for (const room of [...rooms, 'test-fixtures/test']) {
  for (const file of filesOf(path.join(root, room))) {
    await compiled(file)
    used.add(path.basename(place(file, readFileSync(file, 'utf8'))))
  }
}
for (const name of readdirSync(cache)) if (!used.has(name)) rmSync(path.join(cache, name))

/** The TypeScript of a folder; none of one that is not there. */
function filesOf (folder) {
  try {
    return readdirSync(folder, { recursive: true }).filter(name => /\.m?ts$/.test(name)).map(name => path.join(folder, name))
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}
