/** The options of a job: what they may be, and what holds where they say nothing. */
import { Kind, Type } from '@sinclair/typebox'
import { optionsFault } from '@fastback/core/connector'
import type { QueueSettings } from '../engines/engine.js'
import { nextTick } from '../engines/next-tick.js'
import { InvalidJobError, InvalidNameError } from '../errors.js'
import type { Settings } from '../options.js'
import type { JobOptions } from './job-types.js'

/** Two weeks. Timers of Node.js take no more than 24 days. */
const longest = 1_209_600_000

const JobSchema = Type.Object({
  schedule: Type.Optional(Type.String({ minLength: 1 })),
  timeZone: Type.Optional(Type.String({ minLength: 1 })),
  scheduleData: Type.Optional(Type.Unknown()),
  retryLimit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  retryDelays: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: longest }), { minItems: 1 })),
  concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: longest })),
  schema: Type.Optional(Type.Object({}))
}, { additionalProperties: false })

const namePattern = /^[A-Za-z0-9][\w.-]{0,99}$/

/** @throws FBK_EVENTS_INVALID_NAME, FBK_EVENTS_INVALID_JOB */
export function checkJob (name: unknown, options: JobOptions): void {
  if (typeof name !== 'string' || !namePattern.test(name)) throw new InvalidNameError(shown(name))
  const fault = optionsFault(JobSchema, options)
  if (fault !== undefined) throw new InvalidJobError(name, fault)
  const { schema, schedule, timeZone = 'UTC' } = options
  if (schema !== undefined && !(Kind in schema)) throw new InvalidJobError(name, '"schema" must be a TypeBox schema.')
  if (schedule === undefined) return
  try {
    nextTick(name, schedule, timeZone)
  } catch (error) {
    throw new InvalidJobError(name, `the schedule "${schedule}" in "${timeZone}" is none: ${(error as Error).message}`)
  }
}

const shown = (name: unknown): string => (JSON.stringify(name) ?? String(name)).slice(0, 120)

export const queueSettings = (options: JobOptions, { retention }: Settings): QueueSettings => ({
  retryLimit: options.retryLimit ?? 3,
  retryDelays: options.retryDelays ?? [5000, 60_000, 600_000],
  concurrency: options.concurrency ?? 1,
  timeout: options.timeout ?? 900_000,
  retention
})
