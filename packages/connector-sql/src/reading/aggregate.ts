import type { MaybePromise, StoredAggregation, StoredResult } from '@fastback/core'
import { chain, queryTooExpensive } from '@fastback/core/connector'
import { prepareAggregate } from '../query/aggregate.js'
import { residualFilterOf } from '../query/residual-filter.js'
import type { Reader } from './reader.js'

/** Groups are looked at before the page of a response is taken from them: there may be so many times its rows. */
const groupsPerRow = 10

/**
 * What groups of rows come to; undefined where JavaScript has to look at the rows.
 * @throws RequestError 400 QUERY_TOO_EXPENSIVE for very many groups
 */
export function aggregateRows (
  reader: Reader, aggregation: StoredAggregation
): MaybePromise<readonly StoredResult[] | undefined> {
  const { connection, table, work } = reader
  if (residualFilterOf(table, aggregation.where, work) !== undefined) return undefined
  const rows = work === undefined || work.rows === Infinity ? undefined : work.rows
  const most = rows === undefined || aggregation.groups.length === 0 ? undefined : rows * groupsPerRow
  const prepared = prepareAggregate(connection, table, aggregation, most === undefined ? undefined : most + 1)
  if (prepared === undefined) return undefined
  const { statement, values, decoders } = prepared
  return chain(statement.all(values), found => {
    if (most !== undefined && found.length > most) throw queryTooExpensive('rows', rows as number)
    return found.map(raw => decoders.map((decode, i) => decode(raw[i])))
  })
}
