module.exports = require('#juggler')
