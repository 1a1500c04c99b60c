module.exports = require('../dist/push.js').pushModule
