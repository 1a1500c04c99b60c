/** A filter as something that runs: over all rows, or over pages of them in the order of their ids. */
import { compileNearOrder, compileOrder, conditionCompiler, nearOf, type PropertyOrder } from '@fastback/core/query'
import { badFilter, compilePattern, pathOf, readWhere, type Dates } from './read-where.js'

export type AnyRow = Record<string, unknown>

export interface CompiledQuery {
  readonly passes: (row: AnyRow) => boolean
  readonly skip: number
  /** Infinity without one. */
  readonly limit: number
  /** Whether rows come by id: then the first pages may be all that is looked at. */
  readonly isById: boolean
  /** The rows of the page, in order, of all that pass. */
  readonly select: (passed: AnyRow[]) => AnyRow[]
}

const compileCondition = conditionCompiler(compilePattern)
const parts: ReadonlySet<string> = new Set(['where', 'order', 'limit', 'skip', 'offset'])
/** Of the server, for `skip` alone. */
const limitOfSkip = 100

/** @throws ClientError BAD_FILTER */
export function compileQuery (filter: unknown, idName: string, dates: Dates): CompiledQuery {
  if (filter !== undefined && filter !== null && (typeof filter !== 'object' || Array.isArray(filter))) {
    throw badFilter('The filter is not an object.')
  }
  const { where, order, limit, skip, offset } = (filter ?? {}) as Record<string, unknown>
  const unknown = Object.keys(filter ?? {}).find(name => !parts.has(name))
  if (unknown !== undefined) throw badFilter(`Local filters have no "${unknown}"; there are ${[...parts].join(', ')}.`)
  const condition = readWhere(where, dates)
  const model = { key: [{ name: idName }] }
  const terms = readOrder(order, dates)
  const near = terms.length === 0 ? nearOf(condition) : undefined
  const compare = near === undefined ? compileOrder(terms, model) : compileNearOrder(near, model)
  const skipped = whole(skip ?? offset, 'skip')
  const most = whole(limit, 'limit')
  const end = most > 0 ? most : skipped > 0 && limit === undefined ? limitOfSkip : Infinity
  const [first, ...others] = terms
  return {
    passes: compileCondition(condition),
    skip: skipped,
    limit: end,
    isById: near === undefined && (first === undefined || (others.length === 0 && isId(first, idName))),
    select: passed => passed.sort(compare).slice(skipped, skipped + end)
  }
}

const isId = ({ path, descending }: PropertyOrder, idName: string): boolean =>
  !descending && path.property === idName && path.path.length === 0

function whole (given: unknown, name: string): number {
  if (given === undefined || given === null) return 0
  if (!Number.isInteger(given) || (given as number) < 0) throw badFilter(`"${name}" is a whole number from 0 on.`)
  return given as number
}

function readOrder (order: unknown, dates: Dates): PropertyOrder[] {
  const texts = order === undefined || order === null || order === '' ? [] : Array.isArray(order) ? order as unknown[] : [order]
  return texts.flatMap(text => {
    if (typeof text !== 'string') throw badFilter('"order" is a text, or a list of texts.')
    return text.split(',').map(term => term.trim()).filter(term => term !== '').map(term => {
      const [name = '', direction = 'ASC', more] = term.split(/\s+/)
      if (more !== undefined || !/^(?:asc|desc)$/i.test(direction)) throw badFilter(`The order "${term}" ends with neither ASC nor DESC.`)
      return { path: pathOf(name, dates), descending: direction.toUpperCase() === 'DESC' }
    })
  })
}
