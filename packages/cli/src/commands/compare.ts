import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defineCommand } from 'citty'
import { debug, json } from '../common-options.js'
import { DifferencesError, UsageError } from '../errors.js'
import { integerOption, wordsOf } from '../option-values.js'
import type { Terminal } from '../terminal.js'
import { compareExchanges } from '../traffic/index.js'
import { tapReport, textReport } from '../traffic/report.js'

export const compareCommand = defineCommand({
  meta: { name: 'compare', description: 'Replay a recording against another server, and show what differs' },
  args: {
    recording: { type: 'positional', description: 'Folder of the recording', required: true },
    against: { type: 'string', description: 'The other server', required: true, valueHint: 'url' },
    ignore: { type: 'string', description: 'What may differ, with commas: status, header:NAME, body:$.a.b, body:$..name', valueHint: 'marks' },
    only: { type: 'string', description: 'Send requests with these methods only: GET', valueHint: 'methods' },
    secrets: { type: 'string', description: 'JSON with values of placeholders, by number: { "1": "secret" }', valueHint: 'file' },
    dates: { type: 'string', description: 'shape (default), or exact: also dates that the server made must be the same', valueHint: 'how' },
    timeout: { type: 'string', description: 'Milliseconds that a response may take. Default: 15000', valueHint: 'ms' },
    'max-body': { type: 'string', description: 'Bytes of a body that are compared, as in the recording. Default: 1048576', valueHint: 'bytes' },
    reporter: { type: 'string', description: 'text (default), or tap: each exchange is a test', valueHint: 'name' },
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const { dates, reporter = 'text' } = args
    if (dates !== undefined && dates !== 'shape' && dates !== 'exact') throw new UsageError('The option "--dates" is shape or exact.')
    if (reporter !== 'text' && reporter !== 'tap') throw new UsageError('The option "--reporter" is text or tap.')
    const report = await compareExchanges(path.resolve(terminal.cwd, args.recording), {
      against: args.against,
      ignore: wordsOf(args.ignore),
      only: wordsOf(args.only),
      secrets: args.secrets === undefined ? undefined : secretsIn(path.resolve(terminal.cwd, args.secrets)),
      dates,
      timeout: args.timeout === undefined ? undefined : integerOption('timeout', args.timeout, 3_600_000),
      maxBody: args['max-body'] === undefined ? undefined : integerOption('max-body', args['max-body'], 1024 ** 3)
    })
    terminal.print(args.json === true ? JSON.stringify(report, null, 2) : reporter === 'tap' ? tapReport(report) : textReport(report))
    if (report.different > 0) throw new DifferencesError(String(report.different), String(report.compared))
  }
})

/** @throws FBK_CLI_USAGE */
function secretsIn (file: string): Record<string, string> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`The file of --secrets cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
  if (typeof value !== 'object' || value === null || !Object.values(value).every(each => typeof each === 'string')) {
    throw new UsageError('The file of --secrets holds texts by number: { "1": "secret" }.')
  }
  return value as Record<string, string>
}
