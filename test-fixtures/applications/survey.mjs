/**
 * Serves checkouts of applications that other teams wrote, asks each for its description, its lists and a login, and
 * writes a table. Fetches nothing: put checkouts with their dependencies installed below one folder.
 *
 *   node test-fixtures/applications/survey.mjs CHECKOUTS [--only TEXT] [--json FILE] [--stores memory|sqlite|own]
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const fastback = fileURLToPath(new URL('../../packages/cli/bin/fastback.js', import.meta.url))
const { values: given, positionals: [checkouts] } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, json: { type: 'string' }, stores: { type: 'string', default: 'memory' } }
})
if (checkouts === undefined) throw new Error('Name the folder that holds the checkouts.')

/** Connectors that answer on this machine without anything being set up. */
const local = new Set(['memory', 'transient', 'mail', 'kv-memory', 'rest', 'swagger', 'loopback-component-storage', 'remote'])

/** Folders with a model-config.json in a folder `server`, each by the folder above. */
function * applicationsIn (dir, depth = 0) {
  if (existsSync(path.join(dir, 'server/model-config.json'))) { yield dir; return }
  if (depth === 4) return
  for (const { name, isDirectory } of readdirSync(dir, { withFileTypes: true }).map(each => ({
    name: each.name, isDirectory: (each.isDirectory() || each.isSymbolicLink()) && !['node_modules', 'client', '.git'].includes(each.name)
  }))) if (isDirectory) yield * applicationsIn(path.join(dir, name), depth + 1)
}

const readJson = file => { try { return JSON.parse(readFileSync(file, 'utf8')) } catch { return {} } }

/** What a file of settings says; code may be missing what it asks for. */
function settingsIn (file) {
  if (file.endsWith('.json')) return readJson(file)
  try {
    return existsSync(file) ? createRequire(file)(file) : {}
  } catch {
    return {}
  }
}

const stores = { memory: { connector: 'memory' }, sqlite: { connector: 'sql', url: 'sqlite::memory:' } }

/** Settings that put the folder's databases into memory, and uploads into a folder that is there. */
function replacements (dir) {
  if (given.stores === 'own') return '{}'
  const replaced = {}
  const overlays = ['local', process.env.NODE_ENV ?? 'development'].map(each => `datasources.${each}`)
  for (const file of ['datasources', ...overlays].flatMap(each => [`${each}.json`, `${each}.js`])) {
    for (const [name, settings] of Object.entries(settingsIn(path.join(dir, 'server', file)))) {
      const { connector, root } = settings ?? {}
      const short = String(connector).replace(/^(loopback-connector-|\.\/connectors\/)/, '')
      // Folders of uploads are in no repository.
      if (root !== undefined && short === 'loopback-component-storage' && !existsSync(path.resolve(dir, root))) {
        replaced[name] = { ...settings, root: mkdtempSync(path.join(tmpdir(), 'survey-')) }
      }
      if (!local.has(short)) replaced[name] = /kv-/.test(short) ? { connector: 'kv-memory' } : stores[given.stores]
    }
  }
  return JSON.stringify(replaced)
}

async function survey (dir, port) {
  const result = { application: path.relative(checkouts, dir), version: versionOf(dir) }
  const child = spawn(process.execPath, [fastback, 'serve', dir, '--port', String(port), '--host', '127.0.0.1'], {
    env: { ...process.env, FASTBACK_DATASOURCES: replacements(dir) },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  child.stdout.on('data', data => { output += data })
  child.stderr.on('data', data => { output += data })
  const exited = new Promise(resolve => { child.once('exit', resolve) })
  const url = `http://127.0.0.1:${port}`
  const started = await Promise.race([exited.then(() => false), until(() => /^Serving /m.test(output), 60_000)])
  if (started) Object.assign(result, await ask(url))
  child.kill('SIGTERM')
  const ended = await Promise.race([exited, new Promise(resolve => { setTimeout(resolve, 15_000, 'hangs').unref() })])
  if (ended === 'hangs') child.kill('SIGKILL')
  return { ...result, started, ended, says: started && result.lists > 0 ? undefined : lastWords(output) }
}

const versionOf = dir => String(readJson(path.join(dir, 'package.json')).dependencies?.loopback ?? '?')

async function until (holds, limit) {
  for (const end = Date.now() + limit; Date.now() < end;) {
    if (holds()) return true
    await new Promise(resolve => { setTimeout(resolve, 100) })
  }
  return false
}

/** Lists and logins of the description: how many there are, and what they answer. */
async function ask (url) {
  const description = await fetch(`${url}/explorer/openapi.json`).then(async answer => await answer.json()).catch(() => ({}))
  const base = description.servers?.[0]?.url ?? '/api'
  const lists = []
  const logins = []
  for (const [at, methods] of Object.entries(description.paths ?? {})) {
    if (methods.get !== undefined && /^(\/[^/{}]+)+$/.test(at) && /find$/.test(methods.get.operationId ?? '')) lists.push(at)
    if (methods.post !== undefined && /\/login$/.test(at)) logins.push(at)
  }
  const statuses = {}
  const ask = async (at, init) => {
    const answer = await fetch(new URL(base.replace(/\/$/, '') + at, url), { ...init, signal: AbortSignal.timeout(10_000) })
      .then(({ status }) => status, () => 'none')
    statuses[answer] = (statuses[answer] ?? 0) + 1
    return answer
  }
  for (const at of lists) await ask(at)
  const body = JSON.stringify({ email: 'a@b.cd', password: 'no' })
  const wrong = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const login = []
  for (const at of logins) login.push(await ask(at, wrong))
  let answered = 0
  for (const [status, times] of Object.entries(statuses)) if (Number(status) < 500) answered += times
  return { paths: Object.keys(description.paths ?? {}).length, lists: lists.length, answered, statuses, login }
}

/** The line of the output that says why. */
function lastWords (output) {
  const lines = output.split('\n').map(line => line.trim()).filter(line => line !== '' && !/^at |"level":[34]0|^Node\.js/.test(line))
  return (lines.find(line => /Error|FBK_|cannot|Cannot|failed/.test(line)) ?? lines.at(-1) ?? '').slice(0, 300)
}

const rows = []
let port = 4100
for (const dir of applicationsIn(path.resolve(checkouts))) {
  if (given.only !== undefined && !dir.includes(given.only)) continue
  const row = await survey(dir, port++)
  rows.push(row)
  const { application, version, started, lists = 0, answered = 0, login = [], ended, statuses, says } = row
  console.log([started ? 'serves' : 'FAILS ', application, version, started
    ? `${answered} of ${lists + login.length} answer ${JSON.stringify(statuses)}, ends ${ended}`
    : '', says ?? ''].join(' | '))
}
console.log(`${rows.filter(row => row.started).length} of ${rows.length} serve`)
if (given.json !== undefined) writeFileSync(given.json, JSON.stringify(rows, null, 2))
