/** `@fastback/rest/published`: which methods have routes, for pages and access control. */
export { routedMethods, type RoutedMethod } from '../published-routes.js'
