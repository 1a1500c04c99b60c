import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const json = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))

const packages = readdirSync(path.join(root, 'packages'))
  .filter(folder => existsSync(path.join(root, 'packages', folder, 'package.json')))
  .map(folder => ({ folder: `packages/${folder}`, manifest: json(`packages/${folder}/package.json`) }))
  .filter(({ manifest }) => !manifest.private)
const folderOf = new Map(packages.map(({ folder, manifest }) => [manifest.name as string, folder]))

/** The whole picture of who may import whom: an arrow that is not here must not be in a package.json either. */
const imports: Record<string, string[]> = {
  '@fastback/core': [],
  '@fastback/client': ['@fastback/core'],
  '@fastback/connector-loopback': ['@fastback/core'],
  '@fastback/connector-memory': ['@fastback/core'],
  '@fastback/connector-mongodb': ['@fastback/core'],
  '@fastback/connector-redis': ['@fastback/core'],
  '@fastback/service-client': ['@fastback/core'],
  '@fastback/connector-openapi': ['@fastback/connector-rest', '@fastback/core', '@fastback/service-client'],
  '@fastback/connector-soap': ['@fastback/core', '@fastback/service-client'],
  '@fastback/connector-remote': ['@fastback/core', '@fastback/rest', '@fastback/service-client'],
  '@fastback/connector-rest': ['@fastback/core', '@fastback/service-client'],
  '@fastback/graphql': ['@fastback/core', '@fastback/rest'],
  '@fastback/events': ['@fastback/core'],
  '@fastback/mcp': ['@fastback/core', '@fastback/explorer', '@fastback/rest', '@fastback/ui'],
  '@fastback/health': ['@fastback/core'],
  '@fastback/push': ['@fastback/core'],
  '@fastback/storage': ['@fastback/core', '@fastback/rest'],
  '@fastback/sync': ['@fastback/core'],
  '@fastback/connector-sql': ['@fastback/core'],
  '@fastback/connector-tests': ['@fastback/connector-memory', '@fastback/core'],
  '@fastback/rest': ['@fastback/core'],
  '@fastback/auth': ['@fastback/core'],
  '@fastback/acl': ['@fastback/auth', '@fastback/core'],
  '@fastback/admin': ['@fastback/core', '@fastback/explorer', '@fastback/rest', '@fastback/ui'],
  '@fastback/explorer': ['@fastback/core', '@fastback/rest', '@fastback/ui'],
  '@fastback/studio': [
    '@fastback/acl', '@fastback/admin', '@fastback/auth', '@fastback/core', '@fastback/explorer', '@fastback/health',
    '@fastback/rest', '@fastback/ui'
  ],
  '@fastback/ui': ['@fastback/core'],
  '@fastback/login': ['@fastback/auth', '@fastback/core'],
  '@fastback/oauth2': ['@fastback/auth', '@fastback/core'],
  '@fastback/boot': [
    '@fastback/acl',
    '@fastback/admin',
    '@fastback/auth',
    '@fastback/connector-loopback',
    '@fastback/connector-memory',
    '@fastback/connector-mongodb',
    '@fastback/connector-openapi',
    '@fastback/connector-redis',
    '@fastback/connector-remote',
    '@fastback/connector-rest',
    '@fastback/connector-soap',
    '@fastback/connector-sql',
    '@fastback/core',
    '@fastback/events',
    '@fastback/explorer',
    '@fastback/graphql',
    '@fastback/health',
    '@fastback/login',
    '@fastback/mcp',
    '@fastback/oauth2',
    '@fastback/push',
    '@fastback/rest',
    '@fastback/storage',
    '@fastback/studio',
    '@fastback/sync'
  ],
  '@fastback/loopback': [
    '@fastback/boot', '@fastback/core', '@fastback/login', '@fastback/oauth2', '@fastback/push', '@fastback/rest',
    '@fastback/storage'
  ],
  '@fastback/cli': [
    '@fastback/acl',
    '@fastback/boot',
    '@fastback/core',
    '@fastback/explorer',
    '@fastback/loopback',
    '@fastback/mcp',
    '@fastback/push',
    '@fastback/rest'
  ],
  '@fastback/create': ['@fastback/cli']
}

t.test('packages depend on each other only along the arrows of the architecture', async t => {
  t.strictSame([...folderOf.keys()].sort(), Object.keys(imports).sort())
  for (const { manifest } of packages) {
    const used = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
      .filter(name => folderOf.has(name))
      .sort()
    t.strictSame(used, imports[manifest.name], manifest.name)
  }
})

t.test('project references are the dependencies', async t => {
  for (const { folder, manifest } of packages) {
    const referenced = (json(`${folder}/tsconfig.json`).references ?? [])
      .map((reference: { path: string }) => path.join(folder, reference.path))
      .sort()
    const used = Object.keys(manifest.dependencies ?? {})
      .filter(name => folderOf.has(name))
      .map(name => folderOf.get(name))
      .sort()
    t.strictSame(referenced, used, manifest.name)
  }
  const built = json('tsconfig.json').references.map((reference: { path: string }) => reference.path)
  t.strictSame([...built].sort(), [...folderOf.values(), 'test-fixtures'].sort(), 'the root builds every package')
})

const isBundledPage = (folder: string, file: string) => folder === 'packages/ui' && /^page[\\/]/.test(file)

t.test('a source imports only what its package.json names', async t => {
  for (const { folder, manifest } of packages) {
    const allowed = new Set([manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })])
    // Types of a package come from itself or from @types/: a dependency where an entry names them.
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
      if (name.startsWith('@types/')) allowed.add(name.slice('@types/'.length))
    }
    const sources = readdirSync(path.join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
      // A page is published as one bundle, with the libraries that it is made of.
      .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts') && !isBundledPage(folder, file))
    for (const file of sources) {
      const text = readFileSync(path.join(root, folder, 'src', file), 'utf8')
      for (const { fileName: specifier } of ts.preProcessFile(text).importedFiles) {
        if (specifier.startsWith('.') || specifier.startsWith('node:')) continue
        const name = specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
        if (!allowed.has(name)) t.fail(`${folder}/src/${file} imports ${name}`)
      }
    }
  }
})

t.test('published packages have the same shape', async t => {
  const fixed = json('.changeset/config.json').fixed[0]
  t.strictSame([...fixed].sort(), [...folderOf.keys()].sort(), 'all of them are released together')
  for (const { folder, manifest } of packages) {
    t.match(manifest, {
      type: 'module',
      license: 'MIT',
      sideEffects: false,
      engines: { node: '>=20' },
      repository: { directory: folder },
      publishConfig: { access: 'public' },
      version: packages[0]?.manifest.version
    }, manifest.name)
    t.equal(manifest.exports['./package.json'], './package.json', `${manifest.name} exports its package.json`)
    const { types, ...ways } = manifest.exports['.']
    // A module that is a function to `require` has a file of its own for that.
    for (const way of types === undefined ? Object.values(ways) : [manifest.exports['.']]) {
      t.match(Object.keys(way as object).join(' '), /^types (unbundled )?default$/, `${manifest.name} exports types first`)
    }
    if (manifest.name.startsWith('@fastback/connector-') || ['@fastback/client', '@fastback/service-client'].includes(manifest.name)) {
      t.notOk(manifest.peerDependencies?.fastify, `${manifest.name} knows nothing of servers`)
    } else if (manifest.name !== '@fastback/cli' && manifest.name !== '@fastback/create') {
      t.ok(manifest.peerDependencies?.fastify, `${manifest.name} leaves Fastify to the application`)
    }
    if (manifest.name === '@fastback/rest') t.notOk(manifest.dependencies.express, 'rest brings no Express')
    t.strictSame(manifest.scripts, undefined, `${manifest.name} runs nothing when it is installed`)
  }
})
