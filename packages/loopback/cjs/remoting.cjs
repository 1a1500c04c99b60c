module.exports = require('../dist/remoting.js').RemoteObjects
