/**
 * Lists that have to name all of a kind where no type says so: pages, questions of the command line, texts of types.
 * Who adds an operator, a provider, a grant, a scalar or a dialect sees here what was forgotten.
 */
// Seen to fail: `postgres` and `mariadb` were no blocks of settings that models may have; no page named `local`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { operatorNames, operatorOptionNames } from '@fastback/core/query'
import { viewNames } from '@fastback/ui'
import t from 'tap'
import { sqlConnector } from '@fastback/connector-sql'
import { loginGenerator } from '../../packages/cli/dist/add/login.js'
import { connectorBlocks } from '../../packages/core/dist/definition/vocabulary/kinds.js'
import { relationTypes } from '../../packages/core/dist/definition/vocabulary/relation.js'
import { SettingsVocabulary } from '../../packages/core/dist/definition/vocabulary/settings.js'
import { commonTypes } from '../../packages/graphql/dist/schema/scalars.js'
import { presets } from '../../packages/login/dist/presets.js'
import { grantNames } from '../../packages/oauth2/dist/grant-types.js'
import { driverOf } from '../../packages/storage/dist/providers.js'

type Loose = any

const textOf = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../packages/${file}`, import.meta.url)), 'utf8')

const isNamedIn = (text: string, name: string): boolean => new RegExp(`(?<![\\w$])${name}(?![\\w-])`).test(text)

/** Names that a page does not have. */
const missingIn = (file: string, names: readonly string[]): string[] => {
  const text = textOf(file)
  return names.filter(name => !isNamedIn(text, name))
}

/** Providers that are built in, as the refusal of another one names them. */
async function storageProviders (): Promise<string[]> {
  const context: Loose = { dataSource: 'files', baseDir: '/', log: {} }
  const refusal = await driverOf({ provider: 'no-such-provider' } as Loose, context, {} as Loose).catch(error => error)
  return [...String(refusal.message).matchAll(/"([a-z0-9]+)"/g)].map(([, name]) => name as string)
}

t.test('pages name all there are', async t => {
  const scalars = Object.values(commonTypes())
    .filter(type => type.constructor.name === 'GraphQLScalarType').map(({ name }) => name)
  const storage = await storageProviders()
  t.ok(storage.length >= 7 && scalars.length >= 8, 'there are some')
  const pages: ReadonlyArray<readonly [string, string, readonly string[]]> = [
    ['operators', 'docs/guides/filters.md', [...operatorNames, ...operatorOptionNames]],
    ['relation types', 'docs/guides/relations.md', relationTypes],
    ['presets of logins', 'login/README.md', Object.keys(presets)],
    ['OAuth grants', 'oauth2/README.md', grantNames],
    ['storage providers', 'storage/README.md', storage],
    ['scalars', 'docs/guides/graphql.md', scalars],
    ['parts of the studio', 'studio/README.md', viewNames]
  ]
  for (const [what, file, names] of pages) t.strictSame(missingIn(file, names), [], `${what} in ${file}`)
})

t.test('every setting of a model is on a page that people wrote', async t => {
  const root = fileURLToPath(new URL('../../packages/', import.meta.url))
  const guides = readdirSync(path.join(root, 'docs/guides')).map(name => `docs/guides/${name}`)
  const readmes = readdirSync(root).map(name => `${name}/README.md`).filter(file => existsSync(path.join(root, file)))
  const text = [...guides, ...readmes].map(textOf).join('\n')
  const names = Object.keys(SettingsVocabulary.properties)
  t.strictSame(names.filter(name => !isNamedIn(text, name)), ['remoteMethods'], 'which has no effect')
})

t.test('"fastback add login" knows all presets that need no addresses', async t => {
  const [question] = loginGenerator.questions as Loose
  const unknown = Object.keys(presets).filter(name => question.fault(name) !== undefined)
  t.strictSame(unknown, ['oauth2'], 'whose addresses nobody knows')
})

t.test('definitions may have the blocks that SQL connectors read', async t => {
  for (const url of ['sqlite::memory:', 'postgres://127.0.0.1/x', 'mysql://127.0.0.1/x']) {
    const { dialect } = sqlConnector({ connector: sqlConnector, url }, { dataSource: 'db', baseDir: '/', log: {} as Loose }) as Loose
    t.strictSame(dialect.settingKeys.filter((key: string) => !connectorBlocks.includes(key)), [], url)
  }
})
