module.exports = require('../../../index.cjs').User
