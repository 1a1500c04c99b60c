/** `@fastback/admin/host`: for packages that show the rows of models on a page of their own. */
export { dataRoutes } from '../data-routes.js'
