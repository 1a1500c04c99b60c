/** A route of Fastify's own, as on the other side: what is measured is the check of the token. */
export default app => {
  app.fastify.get('/api/Vault/who', async ({ accessToken }) => ({ client: accessToken.appId }))
}
