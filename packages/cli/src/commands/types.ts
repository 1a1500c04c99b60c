import path from 'node:path'
import { defineCommand } from 'citty'
import { application, debug, dryRun, environment, json } from '../common-options.js'
import type { Terminal } from '../terminal.js'
import { writeModelTypes, type WrittenModelTypes } from '../write-model-types.js'

export const typesCommand = defineCommand({
  meta: { name: 'types', description: 'Write the types of the models to models.d.ts' },
  args: {
    ...application,
    ...environment,
    out: {
      type: 'string',
      description: 'File to write, - for the standard output. Default: models.d.ts in the folder',
      valueHint: 'file'
    },
    check: { type: 'boolean', description: 'Write nothing; fail when the file is out of date' },
    ...dryRun,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const printed = args.out === '-'
    const types = await writeModelTypes(path.resolve(terminal.cwd, args.dir), {
      env: args.env,
      out: args.out === undefined || printed ? undefined : path.resolve(terminal.cwd, args.out),
      check: args.check,
      dryRun: printed || args['dry-run']
    })
    if (printed) terminal.print(types.text.trimEnd())
    else if (args.json === true) {
      terminal.print(
        JSON.stringify(
          { file: types.file, models: types.models, changed: types.changed, written: types.written },
          null,
          2
        )
      )
    } else terminal.print(report(types))
  }
})

function report ({ file, models, changed, written }: WrittenModelTypes): string {
  if (!changed) return `${file} is up to date.`
  return `${written ? 'Wrote' : 'Would write'} ${file}: ${models.length === 0 ? 'no models' : models.join(', ')}.`
}
