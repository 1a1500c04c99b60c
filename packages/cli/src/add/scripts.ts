/** Scripts of an application folder, as generators begin them: ES modules where the folder's are. */
import { isModuleFolder } from '../model-files/index.js'
import { lineComments } from '../source-text.js'
import { writeNew, type Project, type Replacing } from './project.js'

export interface Script {
  /** What it does, for the comment above it. */
  readonly about: string
  readonly isAsync?: boolean
  readonly name?: string
  readonly parameters: string
  /** Lines of the body. */
  readonly body?: readonly string[]
}

/** The text of a script that exports one function. */
export function functionText (
  isModule: boolean, { about, isAsync = false, name = '', parameters, body = [] }: Script
): string {
  const async = isAsync ? 'async ' : ''
  const lines = body.map(line => `  ${line}`)
  if (isModule) {
    const begin = `export default ${async}function ${name === '' ? '' : `${name} `}(${parameters}) {`
    return [...lineComments(about), begin, ...lines, '}', ''].join('\n')
  }
  // LoopBack's style: statements end with a semicolon.
  const ended = lines.map((line, i) => /[^{}\s;]$/.test(line) || i === lines.length - 1 ? `${line};` : line)
  const begin = `module.exports = ${async}function${name === '' ? '' : ` ${name}`}(${parameters}) {`
  return ['\'use strict\';', '', ...lineComments(about), begin, ...ended, '};', ''].join('\n')
}

/**
 * Plans a script that is not there yet.
 * @param file without its extension
 * @returns the file
 * @throws FBK_CLI_EXISTS
 */
export function planScript (project: Project, file: string, script: Script, replacing: Replacing): string {
  const { changes, layout } = project
  const name = `${file}.js`
  writeNew(changes, name, functionText(isModuleFolder(changes, layout), script), `The script "${name}"`, replacing)
  return name
}
