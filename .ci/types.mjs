// Checks what the builds leave out: the tests, those of the page, and the type tests. Three programs at once, because
// type tests say what models there are (`ModelTypes`), and the page's know the browser: both hold in a whole program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiler } from './compiler.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const check = async project => {
  const child = spawn(process.execPath, [compiler, '-p', path.join(here, project)], { stdio: 'inherit' })
  const [status] = await once(child, 'exit')
  return status
}
const statuses = await Promise.all(['tsconfig.types.json', 'tsconfig.page-tests.json', 'tsconfig.type-tests.json'].map(check))
process.exitCode = statuses.every(status => status === 0) ? 0 : 1
