// The reference of HTTP: the description of the application that `fastback new --template notes` writes.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { root } from '../../../../.ci/docs/files.mjs'

const template = 'packages/cli/templates/notes'
const cell = text => String(text ?? '').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')

/** What a schema is called, in a few words. */
function nameOf (schema = {}) {
  if (schema.$ref !== undefined) return `\`${schema.$ref.split('/').at(-1)}\``
  if (schema.type === 'array') return `list of ${nameOf(schema.items)}`
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (parts !== undefined) {
    const names = [...new Set(parts.map(nameOf))]
    return schema.allOf === undefined ? names.join(' or ') : names[0]
  }
  return Array.isArray(schema.type) ? schema.type.join(' or ') : schema.type ?? 'any'
}

function operation (address, verb, { operationId, summary, parameters = [], requestBody, responses }, description) {
  const found = each => each.$ref === undefined ? each : description.components.parameters[each.$ref.split('/').at(-1)]
  const rows = parameters.map(found).map(({ name, in: place, required, schema, content, description: text }) =>
    `| \`${name}\` | ${place}${required ? ', required' : ''} | ${cell(nameOf(schema ?? Object.values(content ?? {})[0]?.schema))} | ${cell(text)} |`)
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => `${nameOf(schema)} (\`${type}\`)`)
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2')).map(([status, answer]) => {
    const [type, media] = Object.entries(answer.content ?? {})[0] ?? []
    return `${status}${type === undefined ? '' : `: ${nameOf(media.schema)} (\`${type}\`)`}`
  })
  const refusals = Object.keys(responses).filter(status => /^[45]/.test(status))
  return [
    `### ${operationId}`, `\`${verb.toUpperCase()} /api${address}\``, cell(summary),
    rows.length === 0 ? '' : `| parameter | where | type | meaning |\n|---|---|---|---|\n${rows.join('\n')}`,
    bodies.length === 0 ? '' : `Body: ${bodies.join(', or ')}.`,
    `Answer: ${answers.join('; ')}.${refusals.length === 0 ? '' : ` Refused with ${refusals.join(', ')}.`}`
  ].filter(part => part !== '').join('\n\n')
}

/** @returns pages by name */
export function httpPages () {
  const printed = execFileSync(process.execPath, ['packages/cli/bin/fastback.js', 'openapi', template], {
    cwd: root, encoding: 'utf8', maxBuffer: 1 << 26, env: { ...process.env, NODE_ENV: 'development', LOG_LEVEL: 'silent' }
  })
  const description = JSON.parse(printed.slice(printed.indexOf('{')))
  const byModel = new Map()
  for (const [address, item] of Object.entries(description.paths)) {
    for (const [verb, each] of Object.entries(item)) {
      if (each.operationId === undefined) continue
      const model = each.tags[0]
      byModel.set(model, [...byModel.get(model) ?? [], operation(address, verb, each, description)])
    }
  }
  const models = [...byModel].map(([model, operations]) => `## ${model}\n\n${operations.join('\n\n')}`)
  return new Map([['http.md', `# HTTP reference

After this page you know every route that a model has: verb, path, parameters, body, answer. The routes are those of
[the example](/guides/start-command-line.md) that \`fastback new --template ${path.basename(template)}\` writes; your models
have the same ones under their own names. \`fastback openapi\` prints the whole description of your application, and
\`/explorer\` shows it.

A filter goes into the parameter \`filter\`: [filters](/guides/filters.md). What errors look like: [errors](/errors/index.md).

${models.join('\n\n')}
`]])
}
