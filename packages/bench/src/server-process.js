import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { processTree } from './accounting.js'

const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

export function freePort () {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
      probe.close(() => resolve(port))
    })
  })
}

/**
 * Starts a server and waits for its first good answer to a get by id; what starts on an empty memory may say 404. The
 * time it has is for machines that do much else: where it starts at all, it takes a second or a few.
 * @param {import('./servers/index.js').Server} server
 * @param {import('./servers/index.js').Launch} launch
 */
export async function startServer (server, launch, timeout = 120_000) {
  const { args, env, cwd } = server.command(launch)
  const startedAt = performance.now()
  const child = spawn(launch.node ?? process.execPath, args, {
    cwd, env: { ...process.env, NODE_ENV: 'production', ...env, ...launch.env }, stdio: ['ignore', 'pipe', 'pipe']
  })
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)
  child.once('exit', () => process.off('exit', killOnExit))
  let output = ''
  let ended = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => { output = (output + chunk).slice(-4000) })
  }
  child.once('error', error => { ended = error.message })
  child.once('exit', (code, signal) => { ended ||= `ended with ${signal ?? code}` })

  const url = `http://127.0.0.1:${launch.port}`
  const probe = server.probe ?? server.request('w1', { id: 1 }, {}).path
  const good = launch.store === 'memory' ? [200, 404] : [200]
  for (;;) {
    const answer = await ask(url + probe)
    if (good.includes(answer?.status)) break
    if (!ended && performance.now() - startedAt > timeout) {
      ended = `no good answer within ${timeout / 1000} s${answer ? `, last ${answer.status}: ${answer.text}` : ''}`
    }
    if (ended) {
      child.kill('SIGKILL')
      throw new Error(`${ended}\n${output.trim()}`)
    }
    await pause(5)
  }
  const startMs = performance.now() - startedAt
  return { child, url, startMs, port: launch.port, pids: processTree(child.pid) }
}

async function ask (url) {
  try {
    const response = await fetch(url)
    return { status: response.status, text: (await response.text()).slice(0, 300) }
  } catch {
    return undefined
  }
}

/** Asks a server to stop and kills it when it does not. */
export function stopServer ({ child }) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise(resolve => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
    child.once('exit', () => { clearTimeout(timer); resolve() })
    child.kill('SIGTERM')
  })
}
