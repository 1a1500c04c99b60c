module.exports = require('../dist/connector-rest.js').restModule
