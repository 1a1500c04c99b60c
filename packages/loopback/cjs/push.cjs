module.exports = require('#push').pushModule
