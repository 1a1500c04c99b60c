module.exports = require('../../../index.cjs').AccessToken
