module.exports = require('../dist/connector.js').connectorModule
