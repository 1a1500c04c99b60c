/** `@fastback/rest/express`: Express 4's face for a Fastify exchange. */
export { expressify, loadExpress, messageClasses, type ExpressPair } from './bridge.js'
