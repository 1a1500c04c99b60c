/** `@fastback/rest/express`: Express 4's face for a Fastify exchange. */
export { expressify, messageClasses, type ExpressPair } from './bridge.js'
export { giveBackBody } from './give-back-body.js'
export { loadExpress } from './load.js'
