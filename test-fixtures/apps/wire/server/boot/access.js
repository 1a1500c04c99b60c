/** Access control, and routes of the application's own, on both of its sides. */
export default app => {
  app.enableAuth({ dataSource: 'db' })
  app.get('/express', (_req, res) => { res.send('<b>hello</b>') })
  app.get('/express/by-hand', (_req, res) => { res.writeHead(200, { 'content-type': 'text/html' }); res.end('<b>hello</b>') })
  app.get('/express/fails', () => { throw new Error('SELECT secret FROM passwords at /srv/app/boot/access.js:7') })
  app.fastify.get('/own', async () => 'hello')
  app.fastify.get('/own/who', async request => ({ userId: request.accessToken?.userId ?? null }))
  app.fastify.get('/own/fails', async () => { throw new Error('SELECT secret FROM passwords at /srv/app/boot/access.js:10') })
}
