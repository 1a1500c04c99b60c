module.exports = require('../../../index.cjs').token
