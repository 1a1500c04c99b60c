module.exports = require('../../../index.cjs').errorHandler
