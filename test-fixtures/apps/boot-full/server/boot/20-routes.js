'use strict'
module.exports = function (app) {
  const router = app.loopback.Router()
  router.get('/', app.loopback.status())
  app.use(router)
  app.post('/pages', (req, res) => res.json({ body: req.body, cookies: req.cookies, signed: req.signedCookies }))
  app.get('/page/:name', (req, res) => res.type('html').send(`<p>${req.params.name}</p>`))
  app.get('/broken', (req, res, next) => next(new Error('not shown')))
  app.remotes().before('**', function (ctx, next) { ctx.res.set('x-remote', ctx.methodString); next() })
}
