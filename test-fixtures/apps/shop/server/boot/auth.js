/** Users log in. */
module.exports = app => { app.enableAuth() }
