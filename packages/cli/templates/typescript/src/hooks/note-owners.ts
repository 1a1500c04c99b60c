import type { FastifyInstance } from 'fastify'

// Everybody finds their own rows of Note. Let those through who may see the others' as well.
// What the application reads for itself, without a token, is not narrowed.
export function showOwnNote (app: FastifyInstance): void {
  app.models.Note.observe('access', async ctx => {
    const { accessToken } = ctx.options
    if (!accessToken) return
    const { userId, principalType } = accessToken
    const isTheirs = [undefined, null, '', 'USER', 'User'].includes(principalType)
    const owners = isTheirs && userId !== undefined && userId !== null ? [userId] : []
    ctx.query.where = { and: [ctx.query.where || {}, { ownerId: { inq: owners } }] }
  })
}
