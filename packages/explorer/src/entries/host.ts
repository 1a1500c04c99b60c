/**
 * `@fastback/explorer/host`: for packages that serve a page of their own beside the explorer's, made of the same
 * modules (`@fastback/explorer/page`).
 */
export { callersByMethod } from '../callers.js'
export { ModelsFile } from '../description.js'
export { explorerFiles } from '../page-files.js'
