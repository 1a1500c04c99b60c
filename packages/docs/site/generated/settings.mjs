// The page of settings: tables of options of the READMEs, and the keys of a folder's files from their JSON Schemas.
import { filesBelow, packages, read } from '../../../../.ci/docs/files.mjs'
import { pageOfDocument } from '../markdown.mjs'

const cell = text => String(text ?? '').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')

function typeOf (schema) {
  if (schema.enum !== undefined) return schema.enum.map(each => `\`${JSON.stringify(each)}\``).join(', ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(', ')
  if (Array.isArray(schema.type)) return schema.type.join(', ')
  return schema.type ?? 'any'
}

/** Rows of the members of a schema, those of nested objects behind their owner's name. */
function rows (schema, owner = '') {
  const nested = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = owner === '' ? name : `${owner}.${name}`
    const own = `| \`${path}\` | ${cell(typeOf(member))} | ${cell(member.description)} |`
    return name === '$schema' ? [] : [own, ...rows(member, path)]
  })
  const entry = schema.additionalProperties
  const any = typeof entry === 'object' ? [entry, ...(entry.anyOf ?? [])].flatMap(each => rows(each, `${owner}NAME`)) : []
  return [...nested, ...any]
}

function fileOf (file) {
  const schema = JSON.parse(read(file))
  const name = file.split('/').at(-1)
  const lines = rows(schema)
  if (lines.length === 0) return ''
  return `## ${name === 'model.json' ? 'A model (common/models/NAME.json)' : `server/${name}`}

${schema.description ?? ''}

| key | type | meaning |
|---|---|---|
${lines.join('\n')}
`
}

/** Tables with a column "default", with the heading that they stand under. */
function optionTables (name, pages) {
  const file = `packages/${name}/README.md`
  const text = pageOfDocument(read(file), file, pages)
  const found = []
  let heading = ''
  for (const part of text.split(/\n{2,}/)) {
    if (part.startsWith('#')) heading = part.split('\n')[0].replace(/^#+ /, '')
    const table = part.slice(part.search(/^\|/m))
    if (/^\|[^|\n]*\| *default *\|/i.test(table)) found.push(`### ${name}: ${heading}\n\n${table}`)
  }
  return found.length === 0 ? '' : `## @fastback/${name}\n\nMore: [its page](/packages/${name}.md).\n\n${found.join('\n\n')}\n`
}

/** @returns pages by name */
export function settingPages (pages) {
  const named = packages().filter(name => pages.has(`packages/${name}/README.md`))
  return new Map([
    ['settings/index.md', `# Settings

After this page you know every setting, where it goes and what it is without you.

| Where you write it | What it sets |
|---|---|
| options of a plugin: \`app.register(rest, { … })\` | [options of the packages](/settings/options.md) |
| files of a folder: \`server/config.json\`, \`datasources.json\`, models | [files of a folder](/settings/files.md) |
| variables of the environment | [in containers](/packages/cli.md#in-containers) |
| options of the command | \`fastback COMMAND --help\`, and [commands](/packages/cli.md#commands) |

A wrong name is an error or a warning with the nearest name that there is: [what a wrong name or value gives](/internals/definition-keys.md).
`],
    ['settings/options.md', `# Options of the packages

Every option with its default, from the tables of the packages.

${named.map(name => optionTables(name, pages)).filter(text => text !== '').join('\n')}`],
    ['settings/files.md', `# Files of a folder

Every key of the files of an application folder. \`fastback new\` writes files that editors complete by the same schemas.

${filesBelow('packages/boot/schemas').map(fileOf).filter(text => text !== '').join('\n')}`]
  ])
}
