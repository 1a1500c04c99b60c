// TypeScript's compiler for tests, in their own process: what is installed or built is read once for all programs that
// have the same options.
import path from 'node:path'
import ts from 'typescript'

const read = new Map()

/** @returns what is wrong, `file.ts: message` each */
export function compileFiles (files, options, { emit = false, own } = {}) {
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  const { rootDir, outDir, noEmit, configFilePath, typeRoots, ...others } = options
  const key = JSON.stringify(others)
  const known = read.get(key) ?? new Map()
  read.set(key, known)
  host.getSourceFile = (file, how, ...more) => {
    if (!/\/(node_modules|packages\/[^/]+\/dist)\//.test(file)) return getSourceFile(file, how, ...more)
    const name = `${how.impliedNodeFormat} ${file}`
    const found = known.get(name) ?? getSourceFile(file, how, ...more)
    known.set(name, found)
    return found
  }
  const program = ts.createProgram(files, options, host)
  const judged = own === undefined
    ? [undefined]
    : program.getSourceFiles().filter(({ fileName }) => isIn(own, fileName))
  const emitted = emit ? judged.flatMap(file => program.emit(file).diagnostics) : []
  return [...judged.flatMap(file => ts.getPreEmitDiagnostics(program, file)), ...emitted].map(({ file, messageText }) =>
    `${path.basename(file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

const isIn = (folder, file) => !path.relative(folder, file).startsWith('..') && !file.includes('/node_modules/')
