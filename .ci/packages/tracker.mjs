// Compiles the ticket tracker of test-fixtures/apps/tracker against the packages as they were packed, strictly and
// without a cast, and runs what its check.ts tries. The packages find their dependencies as consumer.mjs linked them.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

const needed = ['acl', 'auth', 'cli', 'connector-memory', 'core', 'explorer', 'rest']

/**
 * @param {string} root the repository
 * @param {string} dir a folder for the project, which does not exist
 * @param {Array<{ source: string, unpacked: string }>} packages
 * @returns {string[]} what is wrong
 */
export function buildTracker (root, dir, packages) {
  cpSync(path.join(root, 'test-fixtures/apps/tracker'), dir, { recursive: true })
  writeFileSync(path.join(dir, 'package.json'), '{ "type": "module" }\n')
  const link = (target, name) => {
    const place = path.join(dir, 'node_modules', name)
    mkdirSync(path.dirname(place), { recursive: true })
    symlinkSync(realpathSync(target), place, 'junction')
  }
  for (const { source, unpacked } of packages) {
    if (needed.includes(path.basename(source))) link(unpacked, `@fastback/${path.basename(source)}`)
  }
  link(path.join(root, 'node_modules/fastify'), 'fastify')
  link(path.join(root, 'node_modules/@types/node'), '@types/node')
  link(path.join(root, 'packages/core/node_modules/@sinclair/typebox'), '@sinclair/typebox')

  const files = ['models.ts', 'app.ts', 'check.ts'].map(name => path.join(dir, name))
  const program = ts.createProgram(files, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    declaration: true,
    outDir: path.join(dir, 'dist'),
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    typeRoots: [path.join(dir, 'node_modules/@types')]
  })
  const told = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics]
    .map(({ file, start, messageText }) => `${path.basename(file?.fileName ?? '')}:${
      file === undefined ? '' : file.getLineAndCharacterOfPosition(start).line + 1}: ${
      ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  const problems = [...told, ...files.flatMap(castsIn)]
  if (problems.length > 0) return problems
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(dir, 'dist/check.js')], { encoding: 'utf8' })
  return status === 0 ? [] : [`check.ts: ${stdout}${stderr}`]
}

/** Casts, `any`, `!` and directives in a file. */
function castsIn (file) {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
  const found = /@ts-(?:ignore|expect-error|nocheck)/.test(text) ? [`${path.basename(file)}: a directive`] : []
  const visit = node => {
    const isConst = ts.isAsExpression(node) && node.type.getText() === 'const'
    if ((ts.isAsExpression(node) && !isConst) || ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node) ||
      node.kind === ts.SyntaxKind.AnyKeyword) {
      found.push(`${path.basename(file)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.getText()}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
