/** Gives a registry its functions for jobs. */
import type { ModelRegistry } from '@fastback/core'
import { JobRegistry } from './job-registry.js'

const kJobs = Symbol('fastback.jobs')

/**
 * The jobs of a registry, which has `registry.job` and `registry.jobs` from then on: the same object each time. A
 * folder calls it before its boot scripts, the plugin where nobody did.
 */
export const jobsOf = (registry: ModelRegistry): JobRegistry => registry.slot(kJobs, () => {
  const jobs = new JobRegistry(registry)
  Object.defineProperties(registry, {
    jobs: { value: jobs, enumerable: true },
    job: { value: jobs.define.bind(jobs), enumerable: true }
  })
  return jobs
})
