// FASTBACK_TEST_FULL: a process as in a container.
/** `fastback new --docker`: what stands in the files is run, as far as that goes without containers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { newApplication, serve } from '../src/index.js'

t.test('an application for containers', async t => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'fastback-docker-'))
  t.teardown(() => { rmSync(cwd, { recursive: true }) })
  const { folder, files } = await newApplication({ name: 'boxed', template: 'notes', docker: true, cwd })
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8')
  for (const file of ['Dockerfile', '.dockerignore', 'compose.yaml']) t.ok(files.includes(file), file)
  t.match(JSON.parse(read('package.json')), { name: 'boxed', dependencies: { '@fastback/cli': String, pg: String } })

  await t.test('the packages of a checkout', async t => {
    interface Manifest { readonly dependencies?: Record<string, string>, readonly files?: readonly string[] }
    const { dependencies = {} } = JSON.parse(read('package.json')) as Manifest
    const own = Object.entries(dependencies).filter(([name]) => name.startsWith('@fastback/'))
    t.ok(own.length > 10, 'also those that the first one needs')
    for (const [name, place] of own) {
      t.match(place, /^file:vendor\//)
      const folder = place.slice('file:'.length)
      t.ok(files.includes(folder), folder)
      const { dependencies: needed = {}, ...manifest } = JSON.parse(read(`${folder}/package.json`)) as Manifest
      t.match(manifest, { name })
      const unmet = Object.entries(needed)
        .filter(([each, range]) => each.startsWith('@fastback/') && !(each in dependencies && /^\^\d/.test(range)))
      t.strictSame(unmet, [], `${name} finds what it needs`)
    }
    t.ok(existsSync(path.join(folder, 'vendor/cli/bin')), 'the command')
    const [first = '', second = ''] = read('Dockerfile').split(/^FROM .*$/m).slice(1)
    t.match(first, /^COPY vendor \.\/vendor\nRUN .*npm ci/m, 'before npm installs')
    t.match(second, /^COPY \. \.\nCOPY --from=dependencies \/app\/vendor \.\/vendor$/m)
  })

  await t.test('the compose file', async t => {
    const { services } = parse(read('compose.yaml')) as { services: Record<string, { environment: Record<string, string> }> }
    t.strictSame(Object.keys(services), ['app', 'postgres', 'redis'])
    const sources = services.app?.environment.FASTBACK_DATASOURCES?.replace(/\$\{POSTGRES_PASSWORD:[^}]*\}/, 'x') as string
    t.match(JSON.parse(sources), { db: { connector: 'sql', url: 'postgres://app:x@postgres:5432/app', migrate: 'update' } })
    t.notMatch(read('compose.yaml'), /PASSWORD: [^$]/, 'no password of its own')
  })

  await t.test('the health check', async t => {
    const dockerfile = read('Dockerfile')
    const [, command = '[]'] = /HEALTHCHECK[^\n]*\\\n\s*CMD (\[.*\])/.exec(dockerfile) ?? []
    const [program = '', ...args] = JSON.parse(command) as string[]
    t.equal(program, 'node')
    const check = async (port: number): Promise<unknown> => {
      const child = spawn(process.execPath, args, { env: { ...process.env, PORT: String(port) } })
      const [code] = await once(child, 'exit')
      return code
    }
    const served = await serve(folder, { port: 0, host: '127.0.0.1', log: false })
    const port = Number(new URL(served.apiUrl).port)
    t.equal(await check(port), 0)
    await served.close()
    t.equal(await check(port), 1)
    t.match(dockerfile, /^USER node$/m)
    t.match(dockerfile, /^FROM .*\n(?:.*\n)*?ENV MALLOC_ARENA_MAX=2$/m)
    t.match(dockerfile, /^CMD \["node_modules\/\.bin\/fastback", "serve"\]$/m, 'no shell keeps SIGTERM')
  })

  t.notOk((await newApplication({ name: 'plain', cwd, dryRun: true })).files.includes('Dockerfile'))
})
