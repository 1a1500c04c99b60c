module.exports = require('../../../index.cjs').context
