import { acl } from '@fastback/acl'
import { admin } from '@fastback/admin'
import { auth } from '@fastback/auth'
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { explorer } from '@fastback/explorer'
import { health } from '@fastback/health'
import { rest } from '@fastback/rest'
import { studio } from '@fastback/studio'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import * as hooks from './hooks/index.ts'
import * as models from './models/index.ts'
import { root } from './routes/root.ts'

export interface Options {
  /** `sqlite:FILE`, `sqlite::memory:`, `postgres://…`, `mysql://…`. Default: `DATABASE_URL`, else a file in `data`. */
  readonly database?: string
  readonly logger?: FastifyServerOptions['logger']
}

/** The application with all its plugins; it does not listen yet. */
export async function build ({ database, logger = false }: Options = {}): Promise<FastifyInstance> {
  const isProduction = process.env.NODE_ENV === 'production'
  const app = Fastify({ logger, routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } })
  const definitions = Object.values(models)
  await app.register(core, {
    dataSources: {
      db: {
        connector: sqlConnector,
        url: database ?? process.env.DATABASE_URL ?? 'sqlite:data/app.db',
        // In production tables change by reviewed files: npm run migrate -- --files migrations
        migrate: isProduction && process.env.DATABASE_MIGRATE !== 'update' ? 'none' : 'update'
      }
    },
    definitions,
    models: {
      ...Object.fromEntries(definitions.map(({ name }) => [name, { dataSource: 'db' }])),
      User: {
        dataSource: 'db',
        options: {
          restrictResetPasswordTokenScope: true, rejectPasswordChangesViaPatchOrReplace: true, statusLocks: true
        }
      }
    },
    settings: { relatedAccess: 'related', aclErrorStatus: 403 }
  })
  await app.register(health)
  await app.register(auth, { dataSource: 'db', passwordPolicy: { minLength: 8 } })
  await app.register(acl, { dataSource: 'db' })
  for (const hang of Object.values(hooks)) hang(app)
  if (!isProduction) await app.register(explorer)
  // They are off in production by themselves.
  await app.register(admin)
  await app.register(studio, { home: true })
  await app.register(rest, { prefix: '/api', streaming: true, idempotency: true, batch: true, explain: true })
  await app.register(root)
  return app
}
