module.exports = require('../../../juggler.cjs').Memory
