/** `@fastback/explorer/host`: for packages that describe models, or show who may call them, on a page of their own. */
export { callersByMethod } from '../callers.js'
export { ModelsFile } from '../description.js'
