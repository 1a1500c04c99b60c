module.exports = require('#remoting').RemoteObjects
