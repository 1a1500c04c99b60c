module.exports = require('../../index.cjs').Model
