module.exports = require('../dist/passport.js').passportModule
