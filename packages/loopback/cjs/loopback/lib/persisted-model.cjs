module.exports = require('../../index.cjs').PersistedModel
