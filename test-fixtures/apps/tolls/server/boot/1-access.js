'use strict'
module.exports = app => { app.enableAuth() }
