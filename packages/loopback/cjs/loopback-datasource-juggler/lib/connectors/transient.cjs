module.exports = require('../../../juggler.cjs').Transient
