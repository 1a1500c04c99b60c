/**
 * The parts of `prom-client` that are used here, from their own files: its entry also loads its metrics of Node and all
 * of `@opentelemetry/api`, 60 files of 81, which a start would wait for.
 */
import { createRequire } from 'node:module'
import type * as client from 'prom-client'

const require = createRequire(import.meta.url)

export const Counter = require('prom-client/lib/counter') as typeof client.Counter
export const Gauge = require('prom-client/lib/gauge') as typeof client.Gauge
export const Histogram = require('prom-client/lib/histogram') as typeof client.Histogram
export const Registry = require('prom-client/lib/registry') as typeof client.Registry
export const AggregatorRegistry = require('prom-client/lib/cluster') as typeof client.AggregatorRegistry
