// Runs code blocks, each in a process and a folder of its own. A block passes when its last line is reached and its
// process then ends with 0: by itself, or, where a server listens, by the SIGTERM that it gets.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { packages, root } from './files.mjs'

const timeLimit = 60_000
const atATime = 2
const preload = pathToFileURL(path.join(root, '.ci/docs/in-block.mjs')).href
const folderName = '.docs-blocks'
const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }

/** @returns faults, one text each */
export async function runBlocks (blocks, report) {
  const waiting = blocks.map((block, number) => ({ block, number }))
  const faults = []
  try {
    await Promise.all(Array.from({ length: atATime }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const begun = Date.now()
        const problem = await run(next.block, next.number)
        report(next.block, Date.now() - begun, problem)
        const { file, line } = next.block
        if (problem !== undefined) faults.push(`${file}:${line}: ${problem}`)
      }
    }))
  } finally {
    const folders = packages().map(name => path.join(root, 'packages', name, folderName))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  return faults
}

/**
 * The package whose document a block is in: its imports are found from there. Those of the repository itself are found
 * from boot, which knows them all.
 */
const packageOf = file => /^packages\/(?!docs\/)([^/]+)\//.exec(file)?.[1] ?? 'boot'

async function run ({ file, language, code }, number) {
  const folder = path.join(root, 'packages', packageOf(file), folderName, String(number))
  mkdirSync(folder, { recursive: true })
  const script = path.join(folder, 'block.mjs')
  const plain = language === 'ts'
    ? ts.transpileModule(code, { compilerOptions }).outputText
    : code
  writeFileSync(script, `${plain}\n;process.send('end')\n`)

  const child = spawn(process.execPath, ['--import', preload, script], {
    cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: { ...process.env, NODE_ENV: '', LOG_LEVEL: 'warn' }
  })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => output.push(data))
  const seen = new Set()
  child.on('message', message => {
    seen.add(message)
    if (seen.has('end') && seen.has('listening')) child.kill('SIGTERM')
  })
  let late = false
  const timer = setTimeout(() => { late = true; child.kill('SIGKILL') }, timeLimit)
  const [status, signal] = await new Promise(resolve => child.on('close', (...how) => { resolve(how) }))
  clearTimeout(timer)

  const said = () => `\n${Buffer.concat(output).toString().trim()}`
  if (late) {
    const advice = seen.has('end') ? ': it must close what it opened' : ''
    return `did not end within ${timeLimit / 1000} s${advice}${said()}`
  }
  if (!seen.has('end')) return `ended with ${signal ?? status} before its last line${said()}`
  const stopped = signal === 'SIGTERM' && seen.has('listening')
  return status === 0 || stopped ? undefined : `ended with ${signal ?? status}${said()}`
}
