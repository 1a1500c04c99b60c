import path from 'node:path'
import { defineCommand } from 'citty'
import { application, debug, environment, json } from '../common-options.js'
import { describeApi, describeApiAsSwagger } from '../describe-api.js'
import type { Terminal } from '../terminal.js'
import { writeOutput } from '../write-output.js'

const form = {
  ...environment,
  version: {
    type: 'enum' as const, options: ['3.0', '3.1'] as Array<'3.0' | '3.1'>, default: '3.1' as const, description: 'Version of OpenAPI'
  },
  swagger2: { type: 'boolean' as const, description: 'Swagger 2.0, in place of OpenAPI' },
  ...json,
  ...debug
}

export const openapiCommand = defineCommand({
  meta: { name: 'openapi', description: 'Print the OpenAPI description of an application' },
  args: {
    ...application,
    out: { type: 'string', description: 'File to write; default: the standard output. .yaml and .yml are YAML', valueHint: 'file' },
    ...form
  },
  async run ({ args, data }) {
    await describeTo(args.out ?? '-', args, data as Terminal)
  }
})

export const exportApiCommand = defineCommand({
  meta: { name: 'export-api', description: 'Write the description of an application\'s API to a file: OpenAPI 3.1, 3.0 or Swagger 2.0' },
  args: {
    file: { type: 'positional', description: 'File to write; .yaml and .yml are YAML, - is the standard output', default: 'openapi.json' },
    ...application,
    ...form
  },
  async run ({ args, data }) {
    await describeTo(args.file, args, data as Terminal)
  }
})

interface Asked {
  readonly dir: string
  readonly env?: string | undefined
  readonly version: '3.0' | '3.1'
  readonly swagger2?: boolean | undefined
  readonly json?: boolean | undefined
}

async function describeTo (
  out: string, { dir, env, version, swagger2, json }: Asked, terminal: Terminal
): Promise<void> {
  const source = path.resolve(terminal.cwd, dir)
  const document = swagger2 === true
    ? await describeApiAsSwagger(source, { env })
    : await describeApi(source, { env, version })
  const text = /\.ya?ml$/i.test(out) ? await yamlText(document) : JSON.stringify(document, null, 2) + '\n'
  if (out === '-') {
    terminal.print(text.trimEnd())
    return
  }
  const file = path.resolve(terminal.cwd, out)
  writeOutput(file, text)
  terminal.print(json === true ? JSON.stringify({ file }) : `Wrote ${file}`)
}

/** Without anchors: the parts that several places share are written where they are. */
async function yamlText (document: object): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}
