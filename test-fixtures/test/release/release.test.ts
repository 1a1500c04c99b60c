// FASTBACK_TEST_FULL: packs every package.
/**
 * `npm run release -- --dry-run` in a small repository, whose scripts write down that they ran; and what is looked at
 * in the packages. The real thing, from a clean clone, is release.long.ts.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const load = async (file: string) => await import(new URL(`../../../.ci/${file}`, import.meta.url).href)

/** A repository with the release script, whose steps append their names to a file beside it. */
function repository (t: Test) {
  const folder = t.testdir({ repo: { '.ci': {}, '.changeset': {}, bin: {} } })
  const repo = path.join(folder, 'repo')
  const record = path.join(folder, 'ran')
  writeFileSync(record, '')
  for (const file of ['release.mjs', 'pnpmfile.cjs']) cpSync(path.join(root, '.ci', file), path.join(repo, '.ci', file))

  // "packages" leaves a tarball in the folder that it is given.
  const tiny = path.join(folder, 'tiny')
  mkdirSync(tiny)
  writeFileSync(path.join(tiny, 'package.json'), '{ "name": "@example/tiny", "version": "1.0.0" }\n')
  const steps = `import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
const [name, ...args] = process.argv.slice(2)
appendFileSync(${JSON.stringify(record)}, [name, ...args.filter(arg => /^--(?!keep)/.test(arg))].join(' ') + '\\n')
if (existsSync('fail-' + name)) process.exit(1)
const kept = args.indexOf('--keep')
const pack = folder => spawnSync('npm', ['pack', '--pack-destination', folder], { cwd: ${JSON.stringify(tiny)} })
if (kept >= 0) pack(args[kept + 1])
`
  writeFileSync(path.join(repo, 'bin/step.mjs'), steps)
  const names = ['setup', 'build', 'packages', 'sizes', 'advisories', 'clean-checkout']
  const scripts = Object.fromEntries(names.map(name => [name, `node bin/step.mjs ${name}`]))
  writeFileSync(path.join(repo, 'package.json'), JSON.stringify({ private: true, type: 'module', scripts }))
  const changeset = path.join(repo, 'node_modules/.bin/changeset')
  mkdirSync(path.dirname(changeset), { recursive: true })
  writeFileSync(changeset, '#!/bin/sh\nexec node bin/step.mjs "changeset-$1"\n')
  chmodSync(changeset, 0o755)
  writeFileSync(path.join(repo, '.gitignore'), 'node_modules\n')
  writeFileSync(path.join(repo, '.changeset/how-to-write-one.md'), '---\n---\n\nLike this.\n')

  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com']
    const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: repo, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  git('init', '-q')
  const commit = () => { git('add', '-A'); git('commit', '-q', '-m', 'change') }
  commit()
  const release = (...args: string[]) => {
    writeFileSync(record, '')
    const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/release.mjs', ...args], { cwd: repo, encoding: 'utf8' })
    return { status, stdout, stderr, ran: readFileSync(record, 'utf8').split('\n').filter(line => line !== '') }
  }
  return { repo, commit, release }
}

t.test('a dry run does everything but publish', async t => {
  const { repo, commit, release } = repository(t)
  const { status, stdout, stderr, ran } = release('--dry-run')
  t.equal(status, 0, stderr)
  t.strictSame(ran, ['setup', 'build', 'packages', 'sizes --check', 'changeset-status'])
  t.match(stdout, /ok {4}@example\/tiny@1\.0\.0: 1 files/)
  t.match(stdout, /Nothing was published/)

  writeFileSync(path.join(repo, '.changeset/news.md'), "---\n'@fastback/core': patch\n---\n\nNews.\n")
  commit()
  const waiting = release('--dry-run')
  t.equal(waiting.status, 0)
  t.match(waiting.stdout, /1 changesets wait for a version .*news\.md/)
})

t.test('it refuses what no release is made of', async t => {
  // Seen to fail: without the look at the tree it built and packed what nobody had committed
  const { repo, commit, release } = repository(t)
  writeFileSync(path.join(repo, 'new.txt'), 'not committed')
  const dirty = release('--dry-run')
  t.equal(dirty.status, 1)
  t.match(dirty.stderr, /the working tree has changes[^]*new\.txt/)
  t.strictSame(dirty.ran, [])

  writeFileSync(path.join(repo, '.changeset/news.md'), "---\n'@fastback/core': patch\n---\n\nNews.\n")
  commit()
  const waiting = release()
  t.equal(waiting.status, 1)
  t.match(waiting.stderr, /1 changesets wait/)
  t.strictSame(waiting.ran, [])
})

t.test('a step that fails is the last one', async t => {
  const { repo, commit, release } = repository(t)
  appendFileSync(path.join(repo, 'fail-packages'), '')
  commit()
  const { status, stderr, ran } = release()
  t.equal(status, 1)
  t.match(stderr, /npm run --silent packages .* failed/)
  t.strictSame(ran, ['setup', 'build', 'packages --install'])
  t.notOk(existsSync(path.join(repo, 'published')))
})

t.test('how a package looks on npm', async t => {
  const { faultsOfPresentation } = await load('packages/presentation.mjs')
  const manifest = {
    name: '@fastback/example',
    version: '1.0.0',
    description: 'An example of a package that is published.',
    keywords: ['fastback', 'fastify', 'example', 'test'],
    engines: { node: '>=20' },
    dependencies: { '@fastback/core': '^1.0.0' },
    publishConfig: { provenance: true }
  }
  const table = '| @fastback/example | Fastify | Node.js |\n|---|---|---|\n| 1.x | 5.x | >= 20 |\n'
  const readme = `# @fastback/example\n\nText.\n\n\`\`\`sh\nnpm install\n\`\`\`\n\n${table}`
  const made = (changes: object, text = readme) => t.testdir({
    'package.json': JSON.stringify({ ...manifest, ...changes }),
    'README.md': text,
    'CHANGELOG.md': '# @fastback/example\n\n## 1.0.0\n\nFirst release.\n'
  })
  t.strictSame(faultsOfPresentation(made({})), [])
  t.strictSame(faultsOfPresentation(made({ dependencies: { '@fastback/core': 'workspace:^' } })),
    ['depends on @fastback/core workspace:^ in place of ^1.0.0'])
  t.strictSame(faultsOfPresentation(made({ description: 'short', keywords: ['fastback'] })),
    ['description is no sentence of 20 to 140 characters', 'keywords: at least four, and fastback'])
  t.match(faultsOfPresentation(made({}, `# Other\n${'\n'.repeat(30)}${readme.slice(20).replace('1.x', '0.x')}`)), [
    /does not begin/, /no example/, /does not say 1\.x/
  ])
  t.match(faultsOfPresentation(made({ version: '1.0.1', dependencies: {} })), ['CHANGELOG.md has no section 1.0.1'])
})

t.test('a table of sizes that holds no longer is told', async t => {
  const { outdated, tableOf } = await load('packages/sizes.mjs')
  const size = { name: '@fastback/core', packed: 1.6e6, unpacked: 6.7e6, brought: 14, all: 11.2e6, import: 128 }
  const table = tableOf([size])
  t.strictSame(outdated(table, [{ ...size, unpacked: 6.9e6 }]), [])
  t.strictSame(outdated(table, [{ ...size, unpacked: 7.6e6, brought: 15 }]), [
    '@fastback/core has 7.6 MB, the table says 6.7', '@fastback/core brings 15 packages, the table says 14'
  ])
  t.strictSame(outdated(table, [{ ...size, name: '@fastback/new' }]), ['@fastback/new is not in the table'])
})
