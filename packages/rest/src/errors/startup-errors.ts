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
/** A setting that version 3.0 removed is on. */
export const RemovedSettingError = startup('REMOVED_SETTING', '%s')
export const RulesNotEnforcedError = startup(
  'RULES_NOT_ENFORCED',
  'Models with access rules are published, and nothing enforces the rules: %s. Register @fastback/acl before @fastback/rest; or give @fastback/rest the option "accessControl": false, when other code does its work or everybody may do everything.'
)
