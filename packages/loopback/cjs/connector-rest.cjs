module.exports = require('#connector-rest').restModule
