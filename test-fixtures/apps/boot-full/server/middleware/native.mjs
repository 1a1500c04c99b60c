// A Fastify plugin in middleware.json: an async function (fastify, options).
export default async function native (fastify, options) {
  fastify.get('/native', async (request, reply) => {
    reply.header(options.header, 'yes')
    return { native: true }
  })
}
