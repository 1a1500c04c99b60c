// Plays recordings with the kit's own replay.mjs, each on an application of its own.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { checkingProxy, Description } from '../../test-fixtures/dist/checked-responses/index.js'
import { WarmServer, serveByCommand } from './servers.mjs'

/** Recordings that are played at a time: some wait, for what comes by itself. */
const lanes = 3

/** Folders that the command has served in this run, each after its command. */
const commanded = new Set()

/** Descriptions by their texts: most recordings of a folder have the same. */
const descriptions = new Map()

/**
 * Plays all recordings of some areas, on one store. Each folder is served first by what people call, `fastback serve`,
 * and for the recordings after that by processes that serve many.
 * @param kit the folder of the conformance kit
 * @param recordings the folder of recordings, within the kit
 * @param areas their names; none: all
 * @param command the file of the command, or of what stands in for it
 * @param isolated whether the command serves each recording
 * @param environment for each recording: `variables`, and `remove`, to be called when it has been played
 * @param checks whether each response is held against the server's own description
 * @returns `cassettes`: the kit's own list, one entry per recording; `answers`: one entry per response, if wanted
 */
export async function play (kit, recordings, areas, { command, isolated = false, environment, checks }) {
  const root = path.join(kit, recordings)
  const files = readdirSync(root, { recursive: true })
    .filter(file => file.endsWith('.json') && (areas.length === 0 || areas.includes(file.split(path.sep)[0])))
    .sort()
  const results = mkdtempSync(path.join(tmpdir(), 'fastback-conformance-'))
  const cassettes = []
  const answers = checks ? [] : undefined
  const lane = async () => {
    const warm = new WarmServer()
    for (let file; (file = files.shift()) !== undefined;) {
      const { app, steps } = JSON.parse(readFileSync(path.join(root, file), 'utf8'))
      const folder = path.join(kit, app)
      const isFirst = !commanded.has(`${command} ${app}`)
      commanded.add(`${command} ${app}`)
      const { variables = {}, remove } = await environment?.() ?? {}
      const env = { NODE_ENV: 'test', ...variables }
      const start = isolated || isFirst
        ? () => serveByCommand(command, folder, env)
        : () => warm.serve(folder, env)
      cassettes.push(await playOne({ root, file, steps, start, results, answers, label: folder }))
      await remove?.()
    }
    warm.end()
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    rmSync(results, { recursive: true })
  }
  return { cassettes: cassettes.sort((a, b) => a.name.localeCompare(b.name)), answers }
}

async function playOne ({ root, file, steps, start, results, answers, label }) {
  const report = entry => { answers?.push({ label, ...entry }) }
  let server
  let proxy
  try {
    server = await start()
    if (answers !== undefined) proxy = await proxyTo(server.port, report)
  } catch (error) {
    await server?.stop()
    const differences = [['start', 'a listening server', error.message]]
    return { name: file.replace(/\.json$/, ''), steps: steps.length, passed: 0, failures: [{ step: '(start)', differences }] }
  }
  try {
    return await replay(root, file, proxy?.address().port ?? server.port, results)
  } finally {
    if (server.ended) report({ faults: ['the server ended by itself'] })
    proxy?.close().closeAllConnections()
    await server.stop()
  }
}

/** The kit's program, in a thread of its own: it ends by ending what it runs in. */
async function replay (root, file, port, results) {
  const out = path.join(results, file.replaceAll(path.sep, ' '))
  const worker = new Worker(path.join(root, '../replay.mjs'), {
    argv: [
      '--base', `http://127.0.0.1:${port}`, '--cassettes', root, '--json', out, '--min', '0', path.join(root, file)
    ],
    stdout: true
  })
  worker.stdout.resume()
  const [status] = await once(worker, 'exit')
  if (status !== 0) throw new Error(`replay.mjs ended with ${status}, of ${file}`)
  return JSON.parse(readFileSync(out, 'utf8'))[0]
}

async function proxyTo (target, report) {
  const response = await fetch(`http://127.0.0.1:${target}/explorer/openapi.json`)
  if (!response.ok) throw new Error(`/explorer/openapi.json: ${response.status}`)
  const text = await response.text()
  if (!descriptions.has(text)) descriptions.set(text, new Description(JSON.parse(text)))
  const proxy = checkingProxy({
    target,
    description: descriptions.get(text),
    report: ({ method, url, status, headers }, verdict) => {
      report({ method, url, status, type: headers['content-type'], ...verdict })
    }
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return proxy
}
