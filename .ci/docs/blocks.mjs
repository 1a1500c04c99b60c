// The code blocks of a document. How they are marked: packages/docs/README.md.
import { lineAt, read } from './files.mjs'

const hidden = '(?:<!-- before\\n(?<before>[\\s\\S]*?)\\n-->\\n+)?'
const shown = '^```(?<language>js|ts)\\b(?<mark>[^\\n]*)\\n(?<code>[\\s\\S]*?)\\n```$'
const pattern = new RegExp(hidden + shown, 'gm')

/**
 * Blocks marked `js` or `ts`: { file, line, language, runs, code }.
 * `<!-- before` … `-->` right above a block holds code that runs before it and is not shown.
 */
export function blocksOf (file) {
  const text = read(file)
  return Array.from(text.matchAll(pattern), ({ 0: whole, index, groups: { before = '', language, mark, code } }) => ({
    file,
    line: lineAt(text, index + whole.indexOf('```')),
    language,
    runs: mark.trim() !== 'no-run',
    code: before === '' ? code : `${before}\n${code}`
  }))
}
