/**
 * `@fastback/acl/testing`: an application's own test that says in a table who sees what.
 */
export {
  accessSuite, type AccessResult, type AccessRow, type AccessSuite, type SuiteApp, type SuiteCaller
} from '../access-suite.js'
