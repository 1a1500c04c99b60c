module.exports = require('#passport').passportModule
