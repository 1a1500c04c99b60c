module.exports = require('#connector').connectorModule
