/**
 * Tools that are too large to stand beside the others: they are installed from the registry into a folder of their own.
 * Each opens the description of thirty related models, and takes no more than some times what it takes for the same
 * operations without schemas.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { relatedModels, withoutSchemas } from './helpers/related-models.js'

const packages = [
  '@scalar/openapi-parser@0.24.17', '@stoplight/spectral-core@1.24.1', '@stoplight/spectral-parsers@1.0.5',
  '@stoplight/spectral-rulesets@1.23.1', 'openapi-to-postmanv2@6.3.3', 'orval@7.13.2'
]

/** Programs that read a file, do the tool's work, and tell what came of it and the milliseconds of the processor. */
const programs = {
  scalar: `
    const { validate, dereference } = await import('@scalar/openapi-parser')
    return async () => [(await validate(text)).errors ?? [], (await dereference(text)).errors ?? []].flat()`,
  spectral: `
    const { Spectral, Document } = require('@stoplight/spectral-core')
    const { Json } = require('@stoplight/spectral-parsers')
    const { oas } = require('@stoplight/spectral-rulesets')
    const spectral = new Spectral()
    spectral.setRuleset({ extends: [[oas, 'recommended']] })
    return async () => (await spectral.run(new Document(text, Json, file)))
      .filter(({ severity }) => severity === 0).map(({ code, path }) => [code, ...path].join(' '))`,
  postman: `
    const { convert } = require('openapi-to-postmanv2')
    return async () => await new Promise((resolve, reject) => convert({ type: 'string', data: text }, {}, (error, made) =>
      error ? reject(error) : resolve(made.result ? [] : [made.reason])))`,
  orval: `
    const { generate } = await import('orval')
    const output = { target: file + '.ts', schemas: file + '-schemas', client: 'axios-functions', mode: 'single' }
    return async () => { await generate({ input: { target: file }, output }); return [] }`
}

const program = (body: string): string => `
  import { readFileSync } from 'node:fs'
  import { createRequire } from 'node:module'
  const require = createRequire(import.meta.url)
  const file = process.argv[2]
  const text = readFileSync(file, 'utf8')
  const work = await (async () => {${body}})()
  const started = process.cpuUsage()
  const errors = await work()
  const { user, system } = process.cpuUsage(started)
  console.log('\\n' + JSON.stringify({ errors, took: (user + system) / 1000 }))
  process.exit()`

t.test('tools of others, installed for this', { timeout: 900_000 }, async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-tools-'))
  t.teardown(() => { rmSync(folder, { recursive: true }) })
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder, stdio: 'pipe' })
  const app = await relatedModels(t, 30)
  const run = (name: string, document: object): { errors: unknown[], took: number } => {
    const [source, file] = [path.join(folder, `${name}.mjs`), path.join(folder, `${name}.json`)]
    writeFileSync(source, program(programs[name as keyof typeof programs]))
    writeFileSync(file, JSON.stringify(document))
    const said = execFileSync(process.execPath, [source, file], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    return JSON.parse(said.trimEnd().split('\n').at(-1) as string)
  }
  // Spectral compiles a validator for each place of an example, which it finds in 3.0 alone: 10 s of its 12 s.
  const most = { scalar: 8, spectral: 40, postman: 12, orval: 9 }
  for (const version of ['3.1', '3.0']) {
    const document = (await app.inject(`/explorer/openapi.json?version=${version}`)).json()
    for (const [name, factor] of Object.entries(most)) {
      const { took: base } = run(name, withoutSchemas(document))
      const { errors, took } = run(name, document)
      t.same(errors, [], `${version} ${name}`)
      t.ok(took < factor * base, `${version} ${name}: ${Math.round(took)} ms, ${Math.round(base)} ms without schemas`)
      t.comment(`${version} ${name}: ${Math.round(took)} ms of the processor, ${Math.round(base)} ms without schemas`)
    }
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
    const made = path.join(folder, 'orval.json-schemas/index.ts')
    t.match(readFileSync(made, 'utf8'), 'model3Filter')
    const { status, stdout } = spawnSync(process.execPath, [
      tsc, '--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', made
    ], { encoding: 'utf8' })
    t.equal(status, 0, `${version} the types that orval makes: ${stdout.slice(0, 1000)}`)
  }
})
