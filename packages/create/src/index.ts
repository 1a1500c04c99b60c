/** `npm create @fastback@latest my-app`: the command `fastback new`, by the name that npm looks for. */
export {
  newApplication as createApplication,
  newApplication as default,
  type NewApplication,
  type NewApplicationOptions
} from '@fastback/cli'
