/** Errors of a wrong set-up: thrown while the plugin is registered. */
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('REST')

/** An option is not valid; the message names it. */
export const InvalidOptionsError = startup('INVALID_OPTIONS', '@fastback/rest: %s')
export const MissingRegistryError = startup(
  'MISSING_REGISTRY',
  'No model registry in this Fastify context: register @fastback/core before @fastback/rest.'
)
export const UnknownModelError = startup(
  'UNKNOWN_MODEL',
  'The option "models" names "%s", which is not a model of the registry.'
)
/** A function of the application asks for Express' request or response: `npm install express@4`. */
export const ExpressMissingError = startup(
  'EXPRESS_MISSING',
  'A function of the application asks for Express\' request or response, and Express is not installed. Run "npm install express@4".'
)
/** A setting that version 3.0 removed is turned on. */
export const RemovedSettingError = startup('REMOVED_SETTING', '%s')
export const RulesNotEnforcedError = startup(
  'RULES_NOT_ENFORCED',
  'Models with access rules are published, and nothing enforces the rules: %s. Register @fastback/acl before @fastback/rest; or give @fastback/rest the option "accessControl": false, when other code does its work or everybody may do everything.'
)
/** A model has the path of batches. */
export const BatchPathTakenError = startup(
  'BATCH_PATH_TAKEN',
  'The model "%s" has a route at "/batch", which the option "batch" adds: give the model another "http.path", or switch "batch" off.'
)
/** A model has the path of live queries over WebSockets. */
export const LivePathTakenError = startup(
  'LIVE_PATH_TAKEN',
  'The model "%s" has a route at "%s", which the option "liveSocket" adds: give "liveSocket" another "path", or switch it off.'
)
/** `http: { verb }` of a remote method is not an HTTP verb. */
export const UnknownVerbError = startup('UNKNOWN_VERB', 'The remote method "%s" has the verb "%s", which HTTP does not have.%s')
/** `new SharedMethod(…)` or `defineMethod` got a value that is not a method. */
export const InvalidSharedMethodError = startup('INVALID_SHARED_METHOD', 'A shared method is not valid: %s.')
/** `new SharedClass(…)` was called without a name. */
export const InvalidSharedClassError = startup(
  'INVALID_SHARED_CLASS',
  'A shared class needs a name, or its constructor a "remoteNamespace".'
)
/** `remotes.defineType(…)` got a value that is not a type. */
export const InvalidRemotingTypeError = startup('INVALID_REMOTING_TYPE', 'A type of arguments is not valid: %s.')
/** A named call phase does not exist. */
export const UnknownPhaseError = startup('UNKNOWN_PHASE', 'There is no phase "%s" of calls.')
/** `remotes.handler(…)` or `remotes.connect(…)` got a value that is not an adapter. */
export const InvalidAdapterError = startup('INVALID_ADAPTER', 'Invalid adapter class: %s')
/** `remotes.invoke(…)` names a method that is not shared, or was called before `remotes.connect(…)`. */
export const CannotInvokeError = startup('CANNOT_INVOKE', 'Cannot invoke "%s": %s.')
/** A function of LoopBack 2 that LoopBack 3 does not have. */
export const RemovedFunctionError = startup('REMOVED_FUNCTION', '%s is no longer supported. Use %s instead.')
