import type { FastifyInstance } from 'fastify'

/**
 * Users find, count and change their own notes alone. What code of the application asks without a caller is not
 * narrowed.
 */
export function ownNotes (app: FastifyInstance): void {
  app.models.Note.observe('access', async ctx => {
    const user = ctx.options.accessToken?.userId
    if (user === undefined) return
    ctx.query.where = ctx.query.where === undefined ? { ownerId: user } : { and: [ctx.query.where, { ownerId: user }] }
  })
}
