module.exports = require('../../../index.cjs').Mail
