/** `@fastback/ui/contracts`: what servers send to the page, as types. */
export type * from '../contracts/page-config.js'
export type * from '../contracts/rights.js'
export type * from '../contracts/models.js'
export type * from '../contracts/activity.js'
export type * from '../contracts/people.js'
