module.exports = require('../../../index.cjs').Role
