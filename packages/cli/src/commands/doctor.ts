import path from 'node:path'
import { defineCommand } from 'citty'
import { application, debug, environment, json } from '../common-options.js'
import { examine, type Check } from '../doctor.js'
import { NotWellError } from '../errors.js'
import type { Terminal } from '../terminal.js'

export const doctorCommand = defineCommand({
  meta: { name: 'doctor', description: 'Look at versions, settings, data sources, tables and rules' },
  args: { ...application, ...environment, ...json, ...debug },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const report = await examine(path.resolve(terminal.cwd, args.dir), { env: args.env })
    terminal.print(args.json === true ? JSON.stringify(report, null, 2) : report.checks.map(checkText).join('\n'))
    const unwell = report.checks.filter(({ ok }) => !ok)
    if (unwell.length > 0) throw new NotWellError(unwell.map(({ name }) => name).join(', '))
  }
})

/** A check as people read it. */
export function checkText ({ name, ok, seen, fix }: Check): string {
  const [first = '', ...more] = seen
  return [
    `${ok ? 'ok    ' : 'not ok'}  ${name}: ${first}`,
    ...more.map(line => `        ${line}`),
    ...(fix === undefined ? [] : [`        fix: ${fix}`])
  ].join('\n')
}
