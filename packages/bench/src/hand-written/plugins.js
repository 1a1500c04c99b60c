import compress from '@fastify/compress'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'

/** What LoopBack's generator puts before its routes: compression, CORS, six of helmet's headers. */
export async function addPlugins (app) {
  await app.register(compress)
  await app.register(cors, { origin: true, credentials: true, maxAge: 86400 })
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    dnsPrefetchControl: false,
    permittedCrossDomainPolicies: false,
    frameguard: { action: 'deny' },
    hsts: { maxAge: 0, includeSubDomains: true }
  })
}
