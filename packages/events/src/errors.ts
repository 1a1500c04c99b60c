/** What is wrong with the set-up, with jobs that are defined, and with what is sent to them. */
import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('EVENTS')

/** An invalid option; the message names it. */
export const InvalidOptionsError = startup<[sentence: string]>('INVALID_OPTIONS', '@fastback/events: %s')
/** The plugin was registered before `@fastback/core`. */
export const MissingRegistryError = startup(
  'MISSING_REGISTRY',
  'No model registry in this Fastify context: register @fastback/core before @fastback/events.'
)
/** The plugin was registered twice for one registry. */
export const AlreadyRegisteredError = startup(
  'ALREADY_REGISTERED', '@fastback/events is registered already for this model registry. Register it once.'
)
/** There is no data source for jobs. */
export const NoDataSourceError = startup<[which: string]>(
  'NO_DATA_SOURCE',
  '@fastback/events stores jobs in a data source, and there is none%s. Define one, or name it in "dataSource".'
)
/** The package of the engine that was chosen is not installed. */
export const MissingPackageError = startup<[engine: string, packageName: string, again: string]>(
  'MISSING_PACKAGE', '@fastback/events: the engine "%s" needs the package "%s". Install it: npm install %s'
)
/** The chosen engine cannot work with what the application has. */
export const EngineSettingError = startup<[engine: string, sentence: string]>(
  'ENGINE_SETTING', '@fastback/events: the engine "%s" %s'
)
/** The store of the engine could not be reached when the application started. */
export const EngineUnavailableError = startup<[engine: string, reason: string]>(
  'ENGINE_UNAVAILABLE', '@fastback/events: the engine "%s" could not start: %s', 503
)
/** A name that no queue can have. */
export const InvalidNameError = startup<[name: string]>(
  'INVALID_NAME', 'The job name %s is none: use 1 to 100 letters, digits, ".", "-" and "_", and begin with a letter or digit.'
)
/** An option of a job that cannot be; the message names the job and the option. */
export const InvalidJobError = startup<[name: string, sentence: string]>('INVALID_JOB', 'Job "%s": %s')
/** A job of this name is defined already. */
export const DuplicateJobError = startup<[name: string]>('DUPLICATE_JOB', 'Job "%s" is defined twice.')
/** A job was sent that nobody defined. */
export const UnknownJobError = startup<[name: string, advice: string]>('UNKNOWN_JOB', 'There is no job "%s".%s')
/** Jobs were used before the application is ready, or after it has closed. */
export const NotStartedError = startup<[what: string]>(
  'NOT_STARTED', 'Jobs cannot be %s now: the application is not ready yet, or it has closed.'
)
/** A job was sent in a transaction of another data source than the one that stores jobs. */
export const NoTransactionError = startup<[dataSource: string]>(
  'NO_TRANSACTION',
  'A job can be sent in a transaction of the data source "%s" alone, which stores jobs: name the one of your models in "dataSource".'
)

/** Data of a job that its schema does not allow, that is no JSON, or that is too large. */
export const invalidJobData = (name: string, sentence: string): RequestError =>
  new RequestError(422, `The data of job "${name}" ${sentence}`, { code: 'INVALID_JOB_DATA' })

/** The store of jobs did not respond in time: the job was not sent, as far as is known. */
export const engineAway = (): RequestError =>
  new RequestError(503, 'The job could not be sent: what stores jobs is not reachable.', { code: 'JOBS_UNAVAILABLE' })
