module.exports = require('../dist/juggler.js')
