// Servers for recordings: `serve(folder, environment)` gives { port, stop, ended }. `ended` becomes true when the
// process ended before anyone stopped it.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Milliseconds that a server may take to start. */
const patience = 60_000
/** Milliseconds that one may take to close all, before its process is killed. */
const closing = 5_000

/**
 * Each by a process of its own that is what an application's would be.
 * @param program what is called as `fastback` would be: node PROGRAM serve FOLDER
 */
export async function serveByCommand (program, folder, environment) {
  const child = spawn(process.execPath, [program, 'serve', folder, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment }
  })
  const served = { port: undefined, ended: false, stop }
  const exit = once(child, 'exit')
  exit.then(() => { served.ended = true })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', text => { log += text })
  const started = new Promise(resolve => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      said += text
      const [, url] = /^\{"url":"([^"]+)"/m.exec(said) ?? []
      if (url !== undefined) resolve(Number(new URL(url).port))
    })
  })
  served.port = await Promise.race([started, exit.then(() => undefined), later(patience)])
  if (served.port !== undefined) return served
  await stop()
  throw new Error(`the server did not start\n${log.slice(-2000)}`)

  async function stop () {
    child.kill('SIGKILL')
    await exit
  }
}

/** A process that serves one folder after another, and a new one where that has ended. */
export class WarmServer {
  /** The process, and what is resolved when it has ended. */
  #running

  async serve (folder, environment) {
    const { child, exit } = (this.#running ??= this.#start())
    const served = { port: undefined, ended: false, stop: () => this.#stop() }
    exit.then(() => { served.ended = true })
    child.send({ folder, environment })
    const { port, error } = await Promise.race([said(child), exit, later(patience)]) ?? { error: 'it took too long' }
    if (port === undefined) {
      await this.#kill()
      throw new Error(`the server did not start\n${error}`)
    }
    served.port = port
    return served
  }

  /** For good. */
  end () {
    this.#running?.child.disconnect()
  }

  #start () {
    const child = fork(new URL('warm-server.mjs', import.meta.url), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const exit = once(child, 'exit').then(() => {
      this.#running = undefined
      return { error: 'its process ended' }
    })
    return { child, exit }
  }

  async #stop () {
    if (this.#running === undefined) return
    const { child, exit } = this.#running
    child.send('stop')
    if (await Promise.race([said(child), exit, later(closing)]) === undefined) await this.#kill()
  }

  async #kill () {
    if (this.#running === undefined) return
    const { child, exit } = this.#running
    child.kill('SIGKILL')
    await exit
  }
}

/** @returns what the process sends next; nothing more where it ends before that */
const said = child => new Promise(resolve => { child.once('message', resolve) })

const later = ms => new Promise(resolve => { setTimeout(resolve, ms).unref() })
