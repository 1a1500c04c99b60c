module.exports = require('../../../index.cjs').favicon
