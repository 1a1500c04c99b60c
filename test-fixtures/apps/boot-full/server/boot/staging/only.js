'use strict'
module.exports = app => { app.set('staged', true) }
