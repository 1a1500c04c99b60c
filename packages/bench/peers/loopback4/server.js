import { AuthenticationComponent, authenticate, registerAuthenticationStrategy } from '@loopback/authentication'
import { inject } from '@loopback/core'
import { juggler } from '@loopback/repository'
import { HttpErrors, RestApplication } from '@loopback/rest'
import { defineCrudRestController } from '@loopback/rest-crud'
import connector from 'loopback-connector-sqlite3'
import { Guarded, Product, makeRepositories } from './models.js'

const { BENCH_FILE, BENCH_PORT } = process.env

/** Looks the token up as LoopBack 3 does; LoopBack 4 has no stored tokens of its own. */
class TokenStrategy {
  name = 'token'

  constructor (tokens) {
    this.tokens = tokens
  }

  async authenticate (request) {
    const token = await this.tokens.findById(request.headers.authorization ?? '').catch(() => undefined)
    if (!token || token.created + token.ttl * 1000 < Date.now()) throw new HttpErrors.Unauthorized()
    return { id: token.userId }
  }
}

const app = new RestApplication({ rest: { port: Number(BENCH_PORT), host: '127.0.0.1', openApiSpec: { disabled: true } } })
const db = new juggler.DataSource({ name: 'db', connector, file: BENCH_FILE })
const repositories = makeRepositories(db)

inject('repositories.tokens')(TokenStrategy, undefined, 0)
for (const [name, repository] of Object.entries(repositories)) app.bind(`repositories.${name}`).to(repository)

function controller (model, repository, basePath) {
  const Controller = defineCrudRestController(model, { basePath })
  inject(`repositories.${repository}`)(Controller, undefined, 0)
  return Controller
}

app.component(AuthenticationComponent)
registerAuthenticationStrategy(app, TokenStrategy)
app.controller(controller(Product, 'products', '/api/Products'))
const GuardedController = controller(Guarded, 'guarded', '/api/Guarded')
authenticate('token')(GuardedController)
app.controller(GuardedController)

await db.execute('PRAGMA synchronous = NORMAL', [])
await app.start()
