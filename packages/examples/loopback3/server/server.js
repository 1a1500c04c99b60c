'use strict'

const loopback = require('loopback')
const boot = require('loopback-boot')

const app = module.exports = loopback()

app.start = () => app.listen(() => {
  app.emit('started')
  console.log('The bakery is open: %s', app.get('url'))
})

boot(app, __dirname, err => {
  if (err) throw err
  if (require.main === module) app.start()
})
