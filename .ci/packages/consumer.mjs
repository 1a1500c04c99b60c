// Compiles a small strict project with `skipLibCheck: false` that imports every public entry of the packed packages.
// Each package sees what its package.json brings to a user, and nothing else: dependencies, and peers that are not
// optional. A type that an entry names, but no dependency declares, is an error here as it is there.
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

const manifest = folder => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))

/** The public entries of a package that can be loaded in a way and have types: `@fastback/core/outgoing`. */
const entriesOf = ({ name, exports }, way) =>
  Object.entries(exports).filter(([, target]) => (target[way] ?? target).types !== undefined)
    .filter(([, target]) => way === 'import' || target.require !== undefined)
    .map(([entry]) => path.posix.join(name, entry))

function link (target, into, name) {
  const place = path.join(into, 'node_modules', name)
  if (existsSync(place)) return
  mkdirSync(path.dirname(place), { recursive: true })
  symlinkSync(realpathSync(target), place, 'junction')
}

/**
 * Gives a project packages as they were packed, each with what its package.json brings to a user and nothing else.
 * @param {string} root the repository
 * @param {string} dir the folder of the project
 * @param {Array<{ source: string, unpacked: string }>} packages their folders in the repository, and as they were
 * packed; all that import each other must be there
 * @returns the public entries that can be imported, and those that can be required
 */
export function linkPackages (root, dir, packages) {
  const unpackedOf = new Map(packages.map(({ source, unpacked }) => [manifest(source).name, unpacked]))
  const entries = []
  const required = []
  for (const { source, unpacked } of packages) {
    const own = manifest(unpacked)
    const peers = Object.keys(own.peerDependencies ?? {})
      // An entry of the name of an optional peer is for who has it.
      .filter(name => own.peerDependenciesMeta?.[name]?.optional !== true || own.exports[`./${name}`] !== undefined)
    for (const name of [...Object.keys(own.dependencies ?? {}), ...peers]) {
      link(unpackedOf.get(name) ?? path.join(source, 'node_modules', name), unpacked, name)
    }
    link(unpacked, dir, own.name)
    entries.push(...entriesOf(own, 'import'))
    required.push(...entriesOf(own, 'require'))
  }
  link(path.join(root, 'node_modules/@types/node'), dir, '@types/node')
  link(path.join(root, 'node_modules/fastify'), dir, 'fastify')
  return { entries, required }
}

/**
 * @param {string} root the repository
 * @param {string} dir an empty folder for the project
 * @param {Array<{ source: string, unpacked: string }>} packages as `linkPackages` takes them
 * @returns {string[]} what the compiler says
 */
export function compileConsumer (root, dir, packages) {
  const { entries, required } = linkPackages(root, dir, packages)
  const file = path.join(dir, 'index.ts')
  writeFileSync(path.join(dir, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(file, entries.map((entry, i) => `export * as entry${i} from '${entry}'\n`).join(''))
  // Entries of CommonJS are what `require` gives there: a function, where the entry is one.
  const common = path.join(dir, 'common.cts')
  writeFileSync(common, required.map((entry, i) =>
    `import entry${i} = require('${entry}')\nexport const is${i}: object = entry${i}\n`).join(''))
  const program = ts.createProgram([file, common], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    typeRoots: [path.join(dir, 'node_modules/@types')]
  })
  // tap's own types do not hold without `skipLibCheck` (its hooks, React's); nobody reads them but tests.
  const isTaps = ({ file: at }) => /\/node_modules\/\.pnpm\/(@tapjs\+|tcompare@)/.test(at?.fileName ?? '')
  return ts.getPreEmitDiagnostics(program).filter(found => !isTaps(found)).map(({ file: at, start, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    if (at === undefined) return text
    const { line } = at.getLineAndCharacterOfPosition(start)
    return `${path.relative(path.dirname(dir), at.fileName)}:${line + 1}: ${text}`
  })
}
