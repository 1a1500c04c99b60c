import type { Activity, ActivitySecond } from '../../contracts/activity.js'
import { Chart } from '../components/chart.js'
import { bytesOf, durationOf } from './words.js'

const whole = (value: number): string => value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value))
const percent = (value: number): string => `${Math.round(value * 100)} %`

export function Charts ({ activity: { seconds } }: { readonly activity: Activity }) {
  const times = seconds.map(({ at }) => at)
  const valuesOf = (name: Exclude<keyof ActivitySecond, 'at'>): number[] => seconds.map(second => second[name])
  return (
    <div class="charts">
      <Chart
        title="Requests a second" times={times} format={whole}
        series={[{ name: 'requests', colour: '--accent', values: valuesOf('requests') }]}
      />
      <Chart
        title="Duration" times={times} format={durationOf} series={[
          { name: 'p50', colour: '--good', values: valuesOf('p50') }, { name: 'p99', colour: '--warning', values: valuesOf('p99') }
        ]}
      />
      <Chart
        title="Errors a second" times={times} format={whole} series={[
          { name: '4xx', colour: '--warning', values: valuesOf('clientErrors') }, { name: '5xx', colour: '--bad', values: valuesOf('serverErrors') }
        ]}
      />
      <Chart
        title="Event loop, busy" times={times} format={percent}
        series={[{ name: 'busy', colour: '--info', values: valuesOf('eventLoopUtilization') }]}
      />
      <Chart
        title="Event loop, late" times={times} format={durationOf}
        series={[{ name: 'late', colour: '--violet', values: valuesOf('eventLoopDelay') }]}
      />
      <Chart
        title="Memory" times={times} format={bytesOf} series={[
          { name: 'process', colour: '--quiet', values: valuesOf('rss') }, { name: 'heap', colour: '--accent', values: valuesOf('heapUsed') }
        ]}
      />
    </div>
  )
}
