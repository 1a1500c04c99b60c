import { RequestError } from '@fastback/core'
import type { FastifyInstance } from 'fastify'

/**
 * `POST /api/Tickets/:id/close` with a comment: both or none. And a rule that holds anyone who writes: what is done
 * stays.
 */
export function addTicketMethods ({ models: { Ticket }, registry: { dataSources } }: FastifyInstance): void {
  Ticket.observe('before save', async ctx => {
    if (ctx.isNewInstance === true || ctx.currentInstance?.state !== 'done') return
    throw new RequestError(409, 'A ticket that is done stays as it is.', { code: 'TICKET_DONE' })
  })

  Object.assign(Ticket, {
    async close (id: number, text: string) {
      return await dataSources.db?.transaction(async ({ Ticket, Comment }) => {
        const ticket = await Ticket.findById(id)
        if (ticket === null) throw new RequestError(404, `There is no ticket ${String(id)}.`, { code: 'TICKET_NOT_FOUND' })
        const done = await ticket.updateAttributes({ state: 'done' })
        // Where this fails the ticket is as it was.
        await Comment.create({ text, ticketId: id })
        return done
      })
    }
  })
  Ticket.remoteMethod('close', {
    http: { verb: 'post', path: '/:id/close' },
    accepts: [
      { arg: 'id', type: 'number', required: true, http: { source: 'path' } },
      { arg: 'comment', type: 'string', required: true }
    ],
    returns: { arg: 'ticket', type: 'Ticket', root: true }
  })
}
