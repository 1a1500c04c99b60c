import { nearest } from '@fastback/core/remote'
import { defineCommand } from 'citty'
import { debug, json } from '../common-options.js'
import { UsageError } from '../errors.js'
import { explanationOf, explanations, explanationText, listText } from '../explanations.js'
import type { Terminal } from '../terminal.js'

export const explainCommand = defineCommand({
  meta: { name: 'explain', description: 'Say what an error code means, its usual cause and what to do' },
  args: {
    code: { type: 'positional', description: 'The code: FBK_CORE_UNKNOWN_MODEL, VALIDATION_FAILED; without it all', required: false },
    ...json,
    ...debug
  },
  run ({ args, data }) {
    const terminal = data as Terminal
    const { code } = args
    const found = code === undefined ? explanations() : explanationOf(code)
    if (found === undefined) throw new UsageError(unknownCode(String(code)))
    if (args.json === true) terminal.print(JSON.stringify(found, null, 2))
    else terminal.print('code' in found ? explanationText(found) : listText(found))
  }
})

/** What to say of a code that there is not: those with the word in them, else the nearest. */
function unknownCode (code: string): string {
  const codes = explanations().map(each => each.code)
  const within = codes.filter(each => each.includes(code.toUpperCase()))
  const near = within.length === 0 ? nearest(code, codes) : ` With it: ${within.join(', ')}.`
  return `There is no error code "${code}".${near} "fastback explain" lists all.`
}
