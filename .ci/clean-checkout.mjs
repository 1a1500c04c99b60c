// Proves two things on clean checkouts of a commit or tag, with nothing of this working copy but the caches: npm run
// clean-checkout [-- REF]
// 1. With every install script switched off (npm_config_ignore_scripts) the dependencies install, the packages build,
// `npm start` serves, and a user logs in.
// 2. Packed from two checkouts in different folders, the tarballs are the same byte for byte: anyone who has the tag
// can make what was released.
// --manifest FILE writes the tarballs' SHA-256 sums, as sha256sum does; a release publishes them.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from '../test-fixtures/free-port.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const {
  values: { manifest },
  positionals: [ref = 'HEAD']
} = parseArgs({ allowPositionals: true, options: { manifest: { type: 'string' } } })
const json = file => JSON.parse(readFileSync(file, 'utf8'))
const environment = { ...process.env, npm_config_ignore_scripts: 'true', CI: 'true', NODE_ENV: '', HOST: '127.0.0.1' }
let commit
const temporary = mkdtempSync(path.join(tmpdir(), 'fastback-clean-'))

function run (cwd, command, args, env = environment) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 26 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}\n${error ?? ''}${stdout}${stderr}`)
  return stdout
}

function checkOut (name) {
  const dir = path.join(temporary, name)
  run(root, 'git', ['clone', '-q', '--no-hardlinks', '--no-checkout', root, dir])
  run(dir, 'git', ['checkout', '-q', commit])
  run(dir, 'npm', ['run', '--silent', 'setup'])
  run(dir, 'npm', ['run', '--silent', 'build'])
  return dir
}

/** `npm start`, as somebody types it who has just cloned the repository. */
async function tryIt (dir) {
  const port = await freePort()
  const child = spawn('npm', ['start'], {
    cwd: dir,
    env: { ...environment, PORT: String(port) },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => { output += chunk })
  try {
    const send = async (url, body) =>
      await fetch(
        `http://127.0.0.1:${port}${url}`,
        body === undefined
          ? {}
          : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      )
    for (let tries = 0; !await send('/api/Notes').then(({ ok }) => ok, () => false); tries++) {
      if (tries > 600 || child.exitCode !== null) throw new Error(`npm start did not serve\n${output}`)
      await sleep(250)
    }
    const ann = { email: 'ann@example.com', password: 'a long secret' }
    for (const [url, body] of [['/explorer/'], ['/api/Users', ann], ['/api/Users/login', ann]]) {
      const { status } = await send(url, body)
      if (status !== 200) throw new Error(`${url} answers ${status}\n${output}`)
    }
  } finally {
    process.kill(-child.pid, 'SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

/** The tarballs that a release would publish, with their sums. */
function pack (dir) {
  const out = path.join(dir, '.packed')
  mkdirSync(out)
  const packing = { ...environment, npm_config_pnpmfile: path.join(dir, '.ci/pnpmfile.cjs') }
  const published = readdirSync(path.join(dir, 'packages')).filter(
    name => !json(path.join(dir, 'packages', name, 'package.json')).private
  )
  run(
    dir,
    'npx',
    [
      '--yes',
      json(path.join(dir, 'package.json')).packageManager,
      '--recursive',
      ...published.flatMap(name => ['--filter', `./packages/${name}`]),
      'pack',
      '--pack-destination',
      out
    ],
    packing
  )
  return new Map(
    readdirSync(out)
      .sort()
      .map(name => [
        name,
        createHash('sha256')
          .update(readFileSync(path.join(out, name)))
          .digest('hex')
      ])
  )
}

/** The files by which two tarballs of one name differ. */
function differences (name, dirs) {
  const [before, after] = dirs.map((dir, i) => {
    const unpacked = path.join(temporary, `unpacked-${i}`, name)
    mkdirSync(unpacked, { recursive: true })
    run(dir, 'tar', ['-xzf', path.join(dir, '.packed', name), '-C', unpacked])
    return unpacked
  })
  return (
    spawnSync('diff', ['-rq', before, after], { encoding: 'utf8' }).stdout.replaceAll(`${temporary}/`, '').trim() ||
    'the files are the same; their order, modes or times are not'
  )
}

try {
  const { allowBuilds } = readWorkspace()
  if (allowBuilds.length > 0) {
    throw new Error(`pnpm-workspace.yaml lets packages run install scripts: ${allowBuilds.join(', ')}`)
  }
  commit = run(root, 'git', ['rev-parse', `${ref}^{commit}`]).trim()
  const first = checkOut('first')
  await tryIt(first)
  console.log('ok    install scripts off: installed, built, npm start serves, a user registers and logs in')
  const sums = pack(first)
  const second = checkOut('second/in/another/folder')
  const again = pack(second)
  const different = [...new Set([...sums.keys(), ...again.keys()])].filter(name => sums.get(name) !== again.get(name))
  for (const [name, sum] of sums) {
    console.log(
      different.includes(name) ? `FAIL  ${name}\n${differences(name, [first, second])}` : `ok    ${sum}  ${name}`
    )
  }
  console.log(`${sums.size} tarballs of ${ref}, ${different.length} differ between two checkouts`)
  if (manifest !== undefined) writeFileSync(manifest, [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join(''))
  if (different.length > 0 || sums.size === 0) process.exitCode = 1
} catch (error) {
  console.error(`FAIL  ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

/** Packages whose scripts pnpm would run. */
function readWorkspace () {
  const text = readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8')
  const [, block = ''] = /^allowBuilds:\n((?: +.*\n)*)/m.exec(text) ?? []
  const only = /^onlyBuiltDependencies:|^dangerouslyAllowAllBuilds:/m.test(text) ? ['onlyBuiltDependencies'] : []
  return {
    allowBuilds: [
      ...only,
      ...block
        .split('\n')
        .filter(line => /: *true\b/.test(line))
        .map(line => line.trim())
    ]
  }
}
