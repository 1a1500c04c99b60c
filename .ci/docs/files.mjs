// Which files the checks of the documents read.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

export const read = file => readFileSync(path.join(root, file), 'utf8')
export const exists = file => existsSync(path.join(root, file))

/** All files below a folder, by their path from the root. */
export function filesBelow (folder) {
  if (!exists(folder)) return []
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll(path.sep, '/'))
    .filter(file => !/(^|\/)(node_modules|dist|\.tap|\.docs-blocks|\.site)\//.test(file))
    .sort()
}

export const packages = () =>
  readdirSync(path.join(root, 'packages')).filter(name => exists(`packages/${name}/package.json`)).sort()

const present = files => files.filter(exists)

/** READMEs and guides: what a user of the packages reads. */
export const documents = () => present([
  'README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'test-fixtures/README.md',
  ...packages().map(name => `packages/${name}/README.md`),
  ...filesBelow('packages/docs/guides').filter(file => file.endsWith('.md'))
])

/** What may cite a rule: sources, tests, documents, the scripts of the repository. */
export const citing = () => [
  ...packages().flatMap(name => ['src', 'test'].flatMap(folder => filesBelow(`packages/${name}/${folder}`))),
  ...['src', 'test'].flatMap(folder => filesBelow(`test-fixtures/${folder}`)),
  ...filesBelow('.ci'),
  ...filesBelow('packages/docs').filter(file => file.endsWith('.md')),
  ...documents()
].filter((file, index, all) => /\.(ts|mts|js|mjs|md)$/.test(file) && all.indexOf(file) === index)

/** The line, counted from 1, that a position of a text is in. */
export const lineAt = (text, position) => text.slice(0, position).split('\n').length
