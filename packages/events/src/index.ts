/** `@fastback/events`: background jobs and webhooks of models. */
export { events, events as default } from './plugin.js'
export type { EventsOptions } from './options.js'
export type {
  Job, JobContext, JobData, JobFunction, JobOptions, Jobs, JobSendOptions, JobTypes
} from './jobs/job-types.js'
export * as errors from './errors.js'
