import { feathers } from '@feathersjs/feathers'
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa'
import knexFactory from 'knex'
import { addServices } from './services.js'

const { BENCH_FILE, BENCH_PORT } = process.env
const knex = knexFactory({ client: 'better-sqlite3', connection: { filename: BENCH_FILE }, useNullAsDefault: true })
await knex.raw('PRAGMA synchronous = NORMAL')

const app = koa(feathers())
app.use(errorHandler())
app.use(bodyParser())
app.configure(rest())
addServices(app, knex)
await app.listen({ port: Number(BENCH_PORT), host: '127.0.0.1' })
