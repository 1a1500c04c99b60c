/** The house: files import each other's values in one direction only. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import t from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Whether an import or export brings values, and not types alone. */
function bringsValues (statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) {
    const { isTypeOnly, exportClause } = statement
    const named = exportClause !== undefined && ts.isNamedExports(exportClause) ? exportClause.elements : undefined
    return !isTypeOnly && (named === undefined || named.some(each => !each.isTypeOnly))
  }
  const clause = statement.importClause
  if (clause === undefined) return true
  const { isTypeOnly, name, namedBindings } = clause
  if (isTypeOnly) return false
  const named = namedBindings !== undefined && ts.isNamedImports(namedBindings) ? namedBindings.elements : undefined
  return name !== undefined || named === undefined || named.some(each => !each.isTypeOnly)
}

function importsOf (file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  return source.statements.flatMap(statement => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return []
    const { moduleSpecifier } = statement
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier) || !bringsValues(statement)) return []
    const target = path.join(path.dirname(file), moduleSpecifier.text).replace(/\.js$/, '.ts')
    return moduleSpecifier.text.startsWith('.') && existsSync(target) ? [target] : []
  })
}

/** The first circle of imports that there is, as the files that it goes through. */
function circleIn (folder: string): string[] | undefined {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => path.join(folder, file))
  const done = new Set<string>()
  const visit = (file: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const target of importsOf(file)) {
      const circle = visit(target, [...way, file])
      if (circle !== undefined) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of files) {
    const circle = visit(file, [])
    if (circle !== undefined) return circle.map(each => path.relative(folder, each))
  }
}

t.test('no circle of values in any package', async t => {
  // Seen to fail: base-model.ts that imports sharedClassOf, a circle of 16 files
  const sources = readdirSync(path.join(root, 'packages')).map(name => path.join(root, 'packages', name, 'src'))
  for (const folder of [...sources, path.join(root, 'test-fixtures/src')].filter(existsSync)) {
    t.equal(circleIn(folder), undefined, path.relative(root, folder))
  }
})

t.test('the door of a package is narrow: what siblings need has doors of its own', async t => {
  // Seen to fail: the index of core with its connectors' and transports' values, 132 of them
  for (const name of readdirSync(path.join(root, 'packages'))) {
    const index = path.join(root, 'packages', name, 'dist/index.js')
    if (!existsSync(index)) continue
    const values = Object.keys(await import(index) as object)
    t.ok(values.length <= 15, `${name}: ${values.length} ${values.join(' ')}`)
  }
})
