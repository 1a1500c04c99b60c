module.exports = require('../../../index.cjs').Email
