import { readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { compileFiles } from '../../../test-fixtures/compiler.mjs'

/** Compiles the TypeScript of a folder in strict mode, each file to JavaScript beside it. @returns what is wrong */
export function compile (folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.includes('node_modules'))
    .map(file => path.join(folder, file))
  return compileFiles(files, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
    types: []
  }, { emit: true })
}
