module.exports = require('../dist/connector-remote.js').remoteModule
