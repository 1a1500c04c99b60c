/** What the packages of an application measure, as metrics. It is read when Prometheus asks. */
import type { ModelRegistry, PoolUsage } from '@fastback/core'
import { backgroundJobsIn, measuresOf, type MeasureName } from '@fastback/core/remote'
import type { Registry } from 'prom-client'
import { Counter, Gauge } from './prometheus.js'

/** Adds streams, password hashes, caches and pools. Labels are names of caches and data sources. */
export function addMeasures (metrics: Registry, registry: ModelRegistry): void {
  const measures = measuresOf(registry)
  const sum = (name: MeasureName): number => [...measures.read(name).values()].reduce((sum, value) => sum + value, 0)
  const gauge = (name: string, help: string, read: () => number): void => {
    metrics.registerMetric(new Gauge({ name, help, registers: [], collect () { this.set(read()) } }))
  }
  gauge('fastback_open_streams', 'Streams that clients have open.', () => sum('openStreams'))
  gauge('fastback_password_hashes_running', 'Password hashes that are worked out.', () => sum('hashesRunning'))
  gauge('fastback_password_hashes_waiting', 'Password hashes that wait for their turn.', () => sum('hashesWaiting'))
  gauge('fastback_push_waiting', 'Push messages that wait, are on their way, or are to be tried again.', () => sum('pushWaiting'))
  metrics.registerMetric(new Counter({
    name: 'fastback_push_messages_total',
    help: 'Push messages, by what became of them.',
    labelNames: ['status'],
    registers: [],
    collect () {
      this.reset()
      for (const [status, count] of measures.read('pushDone')) this.inc({ status }, count)
    }
  }))
  metrics.registerMetric(new Counter({
    name: 'fastback_tried_rules_total',
    help: 'Requests that access rules which are only tried would have changed, by what would have become of them.',
    labelNames: ['effect'],
    registers: [],
    collect () {
      this.reset()
      for (const [effect, count] of measures.read('rulesTried')) this.inc({ effect }, count)
    }
  }))
  metrics.registerMetric(new Counter({
    name: 'fastback_cache_requests_total',
    help: 'Questions to a cache, by whether it knew the answer.',
    labelNames: ['cache', 'result'],
    registers: [],
    collect () {
      this.reset()
      for (const [cache, hits] of measures.read('cacheHits')) this.inc({ cache, result: 'hit' }, hits)
      for (const [cache, misses] of measures.read('cacheMisses')) this.inc({ cache, result: 'miss' }, misses)
    }
  }))
  metrics.registerMetric(new Counter({
    name: 'fastback_deprecated_calls_total',
    help: 'Requests that used a method or a property that is deprecated, by the client.',
    labelNames: ['method', 'property', 'client'],
    registers: [],
    collect () {
      this.reset()
      for (const [label, count] of measures.read('deprecatedCalls')) {
        const [method = '', property = '', client = ''] = JSON.parse(label) as string[]
        this.inc({ method, property, client }, count)
      }
    }
  }))
  addJobs(metrics, registry)
  const pools = (name: string, help: string, read: (usage: PoolUsage) => number): void => {
    metrics.registerMetric(new Gauge({
      name,
      help,
      labelNames: ['data_source'],
      registers: [],
      collect () {
        for (const [name, { connector }] of Object.entries(registry.dataSources)) {
          const usage = connector.poolUsage?.()
          if (usage !== undefined) this.set({ data_source: name }, read(usage))
        }
      }
    }))
  }
  pools('fastback_pool_connections', 'Connections of a data source that work is done on.', ({ used }) => used)
  pools('fastback_pool_size', 'Connections that a data source may have.', ({ size }) => size)
  pools('fastback_pool_waiting', 'Statements and transactions that wait for a connection.', ({ waiting }) => waiting)
}

/** Jobs by queue and state, as their store has them, and those that this process has tried. */
function addJobs (metrics: Registry, registry: ModelRegistry): void {
  const measures = measuresOf(registry)
  metrics.registerMetric(new Gauge({
    name: 'fastback_jobs',
    help: 'Jobs of all processes, by queue and state; where their store does not respond, there are none.',
    labelNames: ['queue', 'state'],
    // Each process says the same.
    aggregator: 'max',
    registers: [],
    async collect () {
      this.reset()
      const queues = await backgroundJobsIn(registry).by?.queues().catch(() => [])
      for (const { name: queue, waiting, delayed, active, completed, failed } of queues ?? []) {
        for (const [state, count] of Object.entries({ waiting, delayed, active, completed, failed })) {
          this.set({ queue, state }, count)
        }
      }
    }
  }))
  metrics.registerMetric(new Counter({
    name: 'fastback_job_attempts_total',
    help: 'Attempts of jobs that ended in this process, by what became of them.',
    labelNames: ['queue', 'status'],
    registers: [],
    collect () {
      this.reset()
      for (const [label, count] of measures.read('jobsEnded')) {
        const [queue = '', status = ''] = JSON.parse(label) as string[]
        this.inc({ queue, status }, count)
      }
    }
  }))
  metrics.registerMetric(new Counter({
    name: 'fastback_job_seconds_total',
    help: 'Seconds that attempts of jobs took in this process.',
    labelNames: ['queue'],
    registers: [],
    collect () {
      this.reset()
      for (const [queue, seconds] of measures.read('jobSeconds')) this.inc({ queue }, seconds)
    }
  }))
}
