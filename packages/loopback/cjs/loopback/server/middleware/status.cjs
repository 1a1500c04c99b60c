module.exports = require('../../../index.cjs').status
