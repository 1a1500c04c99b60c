module.exports = require('../../../index.cjs').urlNotFound
