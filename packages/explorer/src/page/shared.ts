/**
 * `@fastback/explorer/page`: what other pages of the house use of this one. Runs in a browser: who serves a page that
 * imports it serves the explorer's files beside it (`explorerFiles` of `@fastback/explorer/host`).
 */
export { conditionProperties, conditionRows, searchName, type Conditions } from './condition-rows.js'
export { ApiDescription, loadDescription, plainId, type Action } from './description.js'
export { byId, element, type Child } from './dom.js'
export { describedField, type Control } from './inputs.js'
export { setUpLogins } from './logins.js'
export { setUpSignIn, type AskForFactor } from './sign-in.js'
export { setUpTheme } from './theme.js'
export { canBeToken, endToken, Token } from './token.js'
export { upload } from './upload.js'
export type { Operation, Schema } from '@fastback/ui/openapi'
