module.exports = require('../../../index.cjs').static
