module.exports = require('#connector-remote').remoteModule
