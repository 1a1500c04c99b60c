module.exports = require('../../../index.cjs').Memory
