module.exports = require('../../../index.cjs').rest
