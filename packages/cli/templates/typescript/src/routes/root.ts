import type { FastifyPluginAsync } from 'fastify'

/** A route of your own is a route of Fastify; the models are at `app.models`. */
export const root: FastifyPluginAsync = async app => {
  app.get('/', async () => ({
    explorer: '/explorer',
    categories: await app.models.Category.count()
  }))
}
