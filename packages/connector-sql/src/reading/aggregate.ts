import type { MaybePromise, StoredAggregation, StoredResult, Work } from '@fastback/core'
import { chain, fewRows, queryTooExpensive } from '@fastback/core/connector'
import { compileAggregate, type CompiledAggregate } from '../query/aggregate.js'
import { residualFilterOf } from '../query/residual-filter.js'
import { sizeOfRaw, type Reader } from './reader.js'

/** Groups are looked at before the page of a response is taken from them: there may be so many times its rows. */
const groupsPerRow = 10

/**
 * What groups of rows come to; undefined where JavaScript has to look at the rows.
 * @throws RequestError 400 QUERY_TOO_EXPENSIVE for very many groups, or very long ones
 */
export function aggregateRows (
  reader: Reader, aggregation: StoredAggregation
): MaybePromise<readonly StoredResult[] | undefined> {
  const { connection, table, work } = reader
  if (residualFilterOf(table, aggregation.where, work) !== undefined) return undefined
  const rows = work === undefined || work.rows === Infinity ? undefined : work.rows
  const most = rows === undefined || aggregation.groups.length === 0 ? undefined : rows * groupsPerRow
  const compiled = compileAggregate(connection, table, aggregation)
  if (compiled === undefined) return undefined
  const { values, decoders, hasTexts } = compiled
  const read = work === undefined || most === undefined || !hasTexts
    ? compiled.statement(most === undefined ? undefined : most + 1).all(values)
    : boundedResults(reader, compiled, most + 1, work)
  return chain(read, found => {
    if (most !== undefined && found.length > most) throw queryTooExpensive('rows', rows as number)
    return found.map(raw => decoders.map((decode, i) => decode(raw[i])))
  })
}

/** Texts of groups may be long: they are counted while they come, or before many of them do (security.md, S-180). */
function boundedResults (
  { connection, table }: Reader, { key, sql, values, statement, lengths }: CompiledAggregate, most: number, work: Work
): MaybePromise<readonly unknown[][]> {
  if (table.dialect.scans) {
    const all: unknown[][] = []
    return chain(connection.scan(key, sql(), values, rows => {
      work.renew()
      for (const raw of rows) {
        work.read(sizeOfRaw(raw))
        all.push(raw)
      }
      return true
    }, { limit: most, skip: 0 }), () => all)
  }
  return chain(statement(fewRows + 1).all(values), few => {
    if (few.length <= fewRows) return few
    return chain(lengths(most).all(values), ([sum]) => {
      work.mustHold(0, Number(sum?.[0] ?? 0))
      return statement(most).all(values)
    })
  })
}
