/** How many connections one of several processes may have, so that all together stay below the server's limit. */
import type { ConnectorContext } from '@fastback/core'
import type { ServerSettings } from '../../server-settings.js'

/**
 * The size of one process's pool. A `poolSize` that is set stays; the default is made smaller where the server has too
 * few for all processes, and for one more, which a restart of one after the other begins before an old one ends.
 *
 * ```js
 * poolShare({ poolSize: 10, isPoolSizeSet: false }, 97, { processes: 16, dataSource: 'db', log }) // 5
 * ```
 * @param available connections that the server has for all users of its kind
 */
export function poolShare (
  { poolSize, isPoolSizeSet }: Pick<ServerSettings, 'poolSize' | 'isPoolSizeSet'>,
  available: number,
  { processes = 1, dataSource, log }: Pick<ConnectorContext, 'processes' | 'dataSource' | 'log'>
): number {
  const share = Math.floor(available / (processes + 1))
  if (processes === 1 || poolSize <= share) return poolSize
  const size = isPoolSizeSet ? poolSize : Math.max(1, share)
  const details = { dataSource, poolSize: size, processes, available }
  if (size > share) log.warn(details, 'the pools of all processes are larger than the connections that the server has')
  else log.info(details, 'the pool is smaller than by default, as all processes share the connections of the server')
  return size
}
