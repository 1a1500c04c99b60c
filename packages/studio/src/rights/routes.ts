/** Who may do what, why, and what other rules would change. */
import type { PartRoutes } from '../context.js'
import { given, sendJson } from '../respond.js'
import { rightsOf } from './matrix.js'
import { whatIf, WhatIfBody } from './what-if.js'
import { whyOf, WhyQuery } from './why.js'

export const rightsRoutes: PartRoutes = (app, { registry, access, options: { titles = {} } }) => {
  app.get('/rights.json', async (_request, reply) =>
    sendJson(reply, await rightsOf(registry, app.hasRequestDecorator('authorizedRoles'))))
  app.get('/rights/why.json', async (request, reply) =>
    sendJson(reply, await whyOf(registry, given(WhyQuery, request.query))))
  app.post('/rights/what-if', async (request, reply) =>
    sendJson(reply, await whatIf(registry, given(WhatIfBody, request.body), {
      wanted: access.isDeveloper(request), titles
    })))
}
