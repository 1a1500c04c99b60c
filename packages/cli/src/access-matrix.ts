/** `fastback acl matrix`: who may do what to which rows and properties, so that a change of rights is a diff. */
import { accessMatrix as matrixOf, type MatrixLine } from '@fastback/acl/review'
import type { SharedMethod } from '@fastback/core'
import { restRoutes } from '@fastback/rest'
import type { ApplicationSource, LoadOptions } from './application.js'
import { withApplication } from './load-application.js'

export interface AccessMatrix {
  /** Whether the application asks for access control at all; without it nothing is refused. */
  readonly enforced: boolean
  /** By model, then by method. */
  readonly lines: readonly MatrixLine[]
}

export const matrixFormats = ['table', 'markdown', 'json'] as const
export type MatrixFormat = typeof matrixFormats[number]

/**
 * Roles × methods × rows × fields of all models that have routes: by the definitions and what boot scripts make; rules
 * that are rows of the databases are not in it.
 *
 * ```js
 * const { lines } = await accessMatrix('my-app')
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function accessMatrix (source: ApplicationSource, options: LoadOptions = {}): Promise<AccessMatrix> {
  return await withApplication(source, options, async ({ fastify, registry }) => {
    const methods = new Set(restRoutes(registry).map(({ method }) => method))
    const models = [...new Set([...methods].map(({ model }) => model))]
      .sort((a, b) => compare(a.modelName, b.modelName))
    const ofModel = (method: SharedMethod, Model: unknown): boolean => method.model === Model
    const lines: MatrixLine[] = []
    for (const Model of models) {
      const shared = [...methods].filter(method => ofModel(method, Model))
        .sort((a, b) => compare(a.fullName, b.fullName))
      lines.push(...await matrixOf(Model, shared))
    }
    return { enforced: fastify.hasRequestDecorator('authorizedRoles'), lines }
  })
}

const compare = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0

const columns = ['model', 'method', 'type', 'who', 'rows', 'read', 'write'] as const

/**
 * The matrix in a format: columns for a terminal, a table of Markdown, or JSON.
 *
 * ```js
 * console.log(matrixText(await accessMatrix('my-app'), 'markdown'))
 * ```
 */
export function matrixText ({ enforced, lines }: AccessMatrix, format: MatrixFormat): string {
  if (format === 'json') return JSON.stringify({ enforced, lines }, null, 2)
  const rows = [[...columns], ...lines.map(cellsOf)]
  if (format === 'markdown') {
    const [head, ...others] = rows.map(cells => `| ${cells.map(forMarkdown).join(' | ')} |`)
    return [head, `|${'---|'.repeat(columns.length)}`, ...others].join('\n')
  }
  const widths = columns.map((_, column) => Math.max(...rows.map(cells => (cells[column] as string).length)))
  const lineOf = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padEnd(widths[column] as number)).join('  ').trimEnd()
  return rows.map(lineOf).join('\n')
}

function cellsOf (
  { model, method, accessType, role, permission, rows, check, preset, read, write }: MatrixLine
): string[] {
  const logged = permission === 'AUDIT' || permission === 'ALARM' ? ` (${permission})` : ''
  const written = [
    ...write === undefined ? [] : [write.join(', ')],
    ...check === undefined ? [] : [`check ${textOf(check)}`],
    ...preset === undefined ? [] : [`preset ${textOf(preset)}`]
  ]
  const isNobody = role === 'nobody'
  return [
    model, method, accessType, `${role}${logged}`, isNobody ? '' : textOf(rows), isNobody ? '' : read.join(', '),
    written.join('; ')
  ]
}

const textOf = (value: unknown): string => typeof value === 'string' ? value : JSON.stringify(value)

const forMarkdown = (cell: string): string => cell.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('*', '\\*')
