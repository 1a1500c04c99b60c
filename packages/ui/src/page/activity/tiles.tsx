/** Single numbers of the moment. */
import type { Activity } from '../../contracts/activity.js'
import { spanOf } from './words.js'

export function Tiles ({ activity: { now } }: { readonly activity: Activity }) {
  const tiles: ReadonlyArray<readonly [title: string, value: string]> = [
    ['Up for', spanOf(now.uptime)],
    ['Being served', String(now.inFlight)],
    ['Open streams', String(now.openStreams)],
    ['Password hashes', `${now.hashesRunning} running, ${now.hashesWaiting} waiting`],
    ...now.pushWaiting > 0 ? [['Push waiting', String(now.pushWaiting)] as const] : [],
    ...now.pools.map(({ dataSource, used, size, waiting }) =>
      [`Pool of ${dataSource}`, `${used} of ${size}${waiting > 0 ? `, ${waiting} waiting` : ''}`] as const)
  ]
  return <dl class="tiles">{tiles.map(([title, value]) => <div key={title}><dt>{title}</dt><dd>{value}</dd></div>)}</dl>
}
