module.exports = require('../../../index.cjs').Application
