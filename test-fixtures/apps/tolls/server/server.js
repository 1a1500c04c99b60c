'use strict'
const loopback = require('loopback')
const boot = require('loopback-boot')
const oauth2 = require('loopback-component-oauth2')

const app = module.exports = loopback()

// A route that is written before there is a provider.
app.get('/toll-keeper', oauth2.authenticate({ session: false }), (req, res) => {
  res.json({ client: req.authInfo.client.id, user: req.user.username || null, keeper: req.accessToken.scopes.includes('keep') })
})

app.start = () => app.listen(() => { app.emit('started') })
boot(app, __dirname, error => {
  if (error) throw error
  if (require.main === module) app.start()
})
