/** Compiles written clients under the strictest options that applications have. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { compileFiles } from '../../../test-fixtures/compiler.mjs'

const typeRoots = fileURLToPath(new URL('../../../node_modules/@types', import.meta.url))

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  types: [],
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext'
}

/** Compiles all files of a folder, to JavaScript next to them. @returns what is wrong */
export function compileClient (dir: string, types: string[] = []): string[] {
  const json = { compilerOptions: { ...compilerOptions, types, typeRoots: [typeRoots] }, include: ['*.ts'] }
  const { fileNames, options } = ts.parseJsonConfigFileContent(json, ts.sys, dir)
  return compileFiles(fileNames, options, { emit: true, own: dir })
}
