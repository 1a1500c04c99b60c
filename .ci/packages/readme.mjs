// The example of the README, as somebody tries it: in an empty folder, with the packages as they were packed. It is
// compiled strictly, started, and must respond to requests as the README says.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { run } from './pack.mjs'

const timeLimit = 30_000

/** The first block of TypeScript in a text. */
export function exampleOf (text) {
  const [, code] = /^```ts\n([\s\S]*?)\n```$/m.exec(text) ?? []
  if (code === undefined) throw new Error('README.md has no block of TypeScript')
  return code
}

/** Names of packages that code imports. */
const importsOf = code => Array.from(code.matchAll(/ from '((?:@[^/']+\/)?[^/']+)/g), ([, name]) => name)

/** Puts what the example imports into node_modules, by links to what was packed. */
function link (root, dir, names, packages) {
  const targets = new Map(packages.map(({ name, unpacked }) => [name, unpacked]))
  for (const name of [...names, '@types/node']) {
    const target = targets.get(name) ?? [
      path.join(root, 'node_modules', name), path.join(root, 'packages/core/node_modules', name)
    ].find(each => existsSync(each))
    const location = path.join(dir, 'node_modules', name)
    mkdirSync(path.dirname(location), { recursive: true })
    symlinkSync(realpathSync(target), location, 'junction')
  }
}

/** Installs the tarballs, and what the example imports besides, by npm. */
function install (root, dir, names, packages) {
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const others = names.filter(name => !name.startsWith('@fastback/'))
  const tarballs = packages.map(({ tarball }) => tarball)
  const types = `@types/node@${devDependencies['@types/node']}`
  const { status, stdout, stderr } =
    run(dir, 'npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs, ...others, types])
  if (status !== 0) throw new Error(`npm install failed\n${stdout}${stderr}`)
}

/** What the compiler says of the example. */
function compile (dir) {
  const program = ts.createProgram([path.join(dir, 'app.ts')], {
    strict: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    typeRoots: [path.join(dir, 'node_modules/@types')]
  })
  return [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics]
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

/** Every server gets a free port of this machine, and says it. */
const preload = `
import { Server } from 'node:net'
const { listen } = Server.prototype
Server.prototype.listen = function (options, ...more) {
  this.once('listening', () => { process.send(this.address().port) })
  return listen.call(this, { ...options, port: 0, host: '127.0.0.1' }, ...more)
}
`

/** The requests of the example: an account, its rows, and what a stranger sees of them. */
async function use (origin) {
  const call = async (method, url, token, body) => {
    const response = await fetch(`${origin}${url}`, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: token }) },
      ...(body && { body: JSON.stringify(body) })
    })
    return { status: response.status, body: await response.json().catch(() => undefined) }
  }
  const faults = []
  const expect = (what, found, wanted) => { if (found !== wanted) faults.push(`${what}: ${found} in place of ${wanted}`) }
  const tokenOf = async email => {
    const account = { email, password: 'a long secret' }
    expect(`account ${email}`, (await call('POST', '/api/Users', undefined, account)).status, 200)
    return (await call('POST', '/api/Users/login', undefined, account)).body.id
  }
  const [ann, bob] = [await tokenOf('ann@example.com'), await tokenOf('bob@example.com')]
  expect('a note of nobody', (await call('POST', '/api/Notes', undefined, { title: 'milk' })).status, 401)
  expect('a note without title', (await call('POST', '/api/Notes', ann, { title: '' })).status, 422)
  const made = await call('POST', '/api/Notes', ann, { title: 'milk' })
  expect('a note', made.status, 200)
  expect('the own note', (await call('GET', `/api/Notes/${made.body?.id}`, ann)).body?.title, 'milk')
  expect('a note of somebody else', (await call('GET', `/api/Notes/${made.body?.id}`, bob)).status, 401)
  const listOf = async token => JSON.stringify((await call('GET', '/api/Notes', token)).body?.map?.(({ title }) => title))
  expect('the own list', await listOf(ann), '["milk"]')
  expect('the list of somebody else', await listOf(bob), '[]')
  expect('the explorer', (await call('GET', '/explorer/')).status, 200)
  return faults
}

/** Starts the compiled example and uses it. */
async function serve (dir) {
  writeFileSync(path.join(dir, 'preload.mjs'), preload)
  const child = spawn(process.execPath, ['--import', pathToFileURL(path.join(dir, 'preload.mjs')).href, 'app.js'], {
    cwd: dir, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: { ...process.env, NODE_ENV: '' }
  })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => output.push(data))
  const exit = new Promise(resolve => child.once('exit', resolve))
  try {
    const port = await Promise.race([new Promise(resolve => child.once('message', resolve)), exit.then(() => undefined),
      sleep(timeLimit, undefined, { ref: false })])
    if (port === undefined) return [`does not serve\n${Buffer.concat(output)}`]
    return await use(`http://127.0.0.1:${port}`)
  } finally {
    child.kill()
    await exit
  }
}

/**
 * @param {string} root the repository
 * @param {string} dir a folder that does not exist
 * @param {Array<{ name: string, tarball: string, unpacked: string }>} packages all that are published, packed
 * @param {{ installs?: boolean }} options `installs`: by npm from the tarballs, with what they need from the registry;
 * else linked with what the repository has installed
 * @returns {Promise<string[]>} what is wrong
 */
export async function tryReadme (root, dir, packages, { installs = false } = {}) {
  const code = exampleOf(readFileSync(path.join(root, 'README.md'), 'utf8'))
  mkdirSync(dir)
  writeFileSync(path.join(dir, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(path.join(dir, 'app.ts'), code)
  if (installs) install(root, dir, importsOf(code), packages)
  else link(root, dir, importsOf(code), packages)
  const told = compile(dir)
  return told.length > 0 ? told : await serve(dir)
}
