/**
 * The checks of the repository (`.ci`) find what they are for: each is given a small repository with faults in it.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A repository of these files with the scripts of this one, below this one: its dependencies are found. */
function repository (t: Test, files: Record<string, unknown>): string {
  const dir = t.testdir(files as Parameters<typeof t.testdir>[0])
  cpSync(path.join(root, '.ci'), path.join(dir, '.ci'), { recursive: true })
  return dir
}

/** A script of such a repository, as a module. */
const load = async (dir: string, script: string): Promise<any> => await import(pathToFileURL(path.join(dir, '.ci', script)).href)

/** Written as one they would be faults of this file. */
const outside = ['NOTES', 'old'].join('-')
const specification = ['specification', ''].join(',')

const rules = {
  'security.md': '### S-01 Tokens are hashed\n',
  'oauth2.md': '## 1 Grants\n',
  'behaviour.md': '## 2 Filters\n\n- B-2.1 one\n',
  'request-parsing.md': '## 1 Paths\n\n- R-1.1 one\n',
  'storage.md': '- ST-01 one\n',
  'login.md': '- LG-01 one\n',
  'push.md': '- PU-01 one\n',
  'specification.md': '## Models\n'
}

t.test('the page names every script and every file of data, and no other', async t => {
  const page = readFileSync(path.join(root, '.ci/README.md'), 'utf8')
  const named = new Set(Array.from(page.matchAll(/`([\w/.-]+\.(?:mjs|cjs|json))`/g), ([, name]) => name as string)
    .filter(name => !name.startsWith('packages/docs') && name !== 'package.json'))
  const there = readdirSync(path.join(root, '.ci'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(?:mjs|cjs|json)$/.test(entry.name))
    .map(entry => path.relative(path.join(root, '.ci'), path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter(name => !/^package\.json$|test-loader|node_modules/.test(name))
  // The kit's own script is named as such.
  named.delete('replay.mjs')
  t.strictSame([...named].sort(), there.sort())
})

t.test('tests for continuous integration alone are left out of others, unless they are named', async t => {
  const { wantedTests } = await load(root, 'tests/selection.mjs')
  const dir = t.testdir({
    packages: {
      a: {
        src: { 'x.test.ts': '' },
        test: { 'slow.test.ts': '/** Much. */\n// FASTBACK_TEST_FULL: a hundred servers.\n', 'said.test.ts': '// no FASTBACK_TEST_FULL: x' }
      }
    }
  })
  const [unit, slow, said] = ['packages/a/src/x.test.ts', 'packages/a/test/slow.test.ts', 'packages/a/test/said.test.ts']
  const all = new Map([unit, slow, said].map(source => [source, `compiled ${source}`]))
  const namesFor = (env: object): unknown => {
    const { tests, ...rest } = wantedTests(all, dir, env)
    return { ...rest, names: tests.map(([source]: [string]) => source) }
  }
  t.strictSame(namesFor({}), { areNamed: false, left: 1, names: [unit, said] })
  t.strictSame(namesFor({ FASTBACK_TEST_FULL: '1' }), { areNamed: false, left: 0, names: [unit, slow, said] })
  t.strictSame(namesFor({ FASTBACK_TESTS: slow }), { areNamed: true, left: 0, names: [slow] })
  t.strictSame(namesFor({ FASTBACK_TESTS: 'packages/a/test' }), { areNamed: true, left: 0, names: [slow, said] })
})

t.test('regular expressions: found wherever they are made, and judged by how their time grows', async t => {
  const { expressionsIn } = await load(root, 'expressions/find.mjs')
  const text = [
    'const word = "[a-z]+"',
    'const one = /a+b/i',
    'const two = new RegExp("^" + word + "$", "m")',
    'const three = new RegExp("x" + unknownPart + "y")',
    'const four = RegExp(String.raw`\\d+`)'
  ].join('\n')
  t.strictSame(expressionsIn('a.js', text), [
    { source: 'a+b', flags: 'i', line: 2 },
    { source: '^[a-z]+$', flags: 'm', line: 3 },
    { source: 'xxy', flags: '', line: 4 },
    { source: '\\d+', flags: '', line: 5 }
  ])
  const { judged } = await load(root, 'expressions/judge.mjs')
  t.equal(judged('^(a+)+$', '').degree, Infinity)
  t.equal(judged('\\s+$', '').degree, 2)
  t.equal(judged('^[a-z]+$', '').degree, 1)
  t.equal(judged('abc', '').degree, 1)
})

t.test('documents: blocks, named files, citations, codes of errors', async t => {
  const dir = repository(t, {
    'README.md': [
      'Read `packages/one/src/there.ts`, `packages/one/src/gone.ts` and `packages/<name>/src`. By S-01 and S-02.',
      `See behaviour.md, section 2, and behaviour.md, section 9. ${outside} and ${specification} Models.`,
      '<!-- before',
      'const x = 1',
      '-->',
      '',
      '```js',
      'x',
      '```',
      '',
      '```ts no-run',
      'y',
      '```'
    ].join('\n'),
    packages: {
      one: {
        'package.json': '{ "name": "one" }',
        'README.md': `# One\n\nBy the ${specification} Nothing of the kind.\n`,
        src: {
          'there.ts': [
            'const startup = startUpErrors(\'ONE\')',
            '/** A name is missing. It has to be there. */',
            'export const NameError = startup(\'NO_NAME\', \'%s: the name\' + \' is missing.\')',
            'export const PlainError = createError(\'PLAIN\', \'it is "%s".\')'
          ].join('\n')
        }
      },
      docs: { rules }
    }
  })
  const { blocksOf } = await load(dir, 'docs/blocks.mjs')
  t.strictSame(blocksOf('README.md'), [
    { file: 'README.md', line: 7, language: 'js', runs: true, code: 'const x = 1\nx' },
    { file: 'README.md', line: 11, language: 'ts', runs: false, code: 'y' }
  ])
  const { checkNamedFiles } = await load(dir, 'docs/named-files.mjs')
  t.strictSame(checkNamedFiles(), ['README.md:1: there is no packages/one/src/gone.ts'])
  const { checkCitations } = await load(dir, 'docs/citations.mjs')
  t.strictSame((checkCitations() as string[]).filter(fault => /^(?:README|packages\/one)/.test(fault)).sort(), [
    'README.md:1: there is no rule S-02 in packages/docs/rules',
    `README.md:2: ${outside} is not in this repository`,
    'README.md:2: behaviour.md has no section 9',
    'packages/one/README.md:3: specification.md has no heading "Nothing of the kind"'
  ])
  const { errorCodes } = await load(dir, 'docs/error-codes.mjs')
  t.strictSame(errorCodes('one'), [
    { code: 'FBK_ONE_NO_NAME', meaning: 'A name is missing.', message: '%s: the name is missing.' },
    { code: 'PLAIN', meaning: 'It is …', message: 'it is "%s".' }
  ])
})

t.test('cited rules', async t => {
  const run = (t: Test, without: string) => {
    const dir = repository(t, {
      packages: { docs: { rules: { 'login.md': `- LG-01 one\n- LG-02 two\n\n## No test of its own\n\n${without}\n` } } },
      tests: { 'login.test.ts': 't.test("LG-01: hashed")' }
    })
    const script = JSON.stringify(pathToFileURL(path.join(dir, '.ci/cited-rules.mjs')).href)
    const code = `import { checkCited } from ${script}; checkCited('login.md', ['LG'], ['tests'])`
    const env = { ...process.env, NODE_OPTIONS: '' }
    return spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8', env })
  }
  await t.test('a rule without a test and a reason', async t => {
    const { status, stdout } = run(t, '')
    t.equal(status, 1)
    t.match(stdout, 'MISSING LG-02 has no test and no reason')
  })
  await t.test('a reason beside a test', async t => {
    const { status, stdout } = run(t, 'LG-01 and LG-02: by design')
    t.equal(status, 1)
    t.match(stdout, 'MISSING LG-01 has a test, and a reason why it has none')
  })
  await t.test('all is well', async t => {
    const { status, stdout } = run(t, 'LG-02: by design')
    t.equal(status, 0)
    t.match(stdout, '2 rules of login.md, 1 with tests')
  })
})
