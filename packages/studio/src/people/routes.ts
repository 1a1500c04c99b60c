/** Users, and tokens of theirs: for who develops the application alone. */
import type { PartRoutes } from '../context.js'
import { given, sendJson } from '../respond.js'
import { loginAs, LoginAsBody } from './login-as.js'
import { usersOf, UsersQuery } from './users.js'

export const peopleRoutes: PartRoutes = (app, { registry }) => {
  app.get('/users.json', async (request, reply) =>
    sendJson(reply, await usersOf(registry, given(UsersQuery, request.query))))
  app.post('/login-as', async (request, reply) =>
    sendJson(reply, await loginAs(registry, given(LoginAsBody, request.body))))
}
