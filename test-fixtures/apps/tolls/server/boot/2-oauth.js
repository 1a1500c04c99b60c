'use strict'
const oauth2 = require('loopback-component-oauth2')

module.exports = app => {
  const handlers = oauth2.oAuth2Provider(app, {
    dataSource: app.dataSources.db,
    userModel: app.models.User,
    loginPage: '/login',
    loginPath: '/login'
  })
  app.middleware('auth', ['/api/crossings'], oauth2.authenticate({ session: false, scope: 'crossings' }))
  app.use('/ledger', handlers.authenticate({ scope: 'keep' }))
  app.get('/ledger/days', (req, res) => { res.json({ days: 3, by: req.user.username }) })
  app.set('handlers', handlers)
}
