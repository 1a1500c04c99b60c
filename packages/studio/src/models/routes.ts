/** What models are, how their tables are, how many rows they have; in development, changes of their definitions. */
import { Type } from '@sinclair/typebox'
import type { PartRoutes } from '../context.js'
import { given, sendJson } from '../respond.js'
import { ApplyBody, ChangeBodies, KindBody, ProposedChanges } from './changes.js'
import { countsFor } from './counts.js'
import { databaseOf } from './database.js'
import { definitionsOf } from './definitions.js'

const DatabaseQuery = Type.Object({ model: Type.String({ minLength: 1, maxLength: 200 }) })

export const modelsRoutes: PartRoutes = (app, { registry }) => {
  app.get('/definitions.json', async (_request, reply) => sendJson(reply, await definitionsOf(registry)))
  app.get('/database.json', async (request, reply) =>
    sendJson(reply, await databaseOf(registry, given(DatabaseQuery, request.query).model)))
  app.get('/counts.json', async (request, reply) =>
    sendJson(reply, await countsFor(registry, request, reply)))
}

/** For who develops the application. */
export const changesRoutes: PartRoutes = (app, { registry }) => {
  const changes = new ProposedChanges(registry)
  app.post('/models/propose', async (request, reply) => {
    const { kind } = given(KindBody, request.body)
    return sendJson(reply, await changes.propose(given(ChangeBodies[kind], request.body)))
  })
  app.post('/models/apply', async (request, reply) =>
    sendJson(reply, await changes.apply(given(ApplyBody, request.body).token)))
  app.post('/models/undo', async (_request, reply) => sendJson(reply, await changes.undo()))
}
