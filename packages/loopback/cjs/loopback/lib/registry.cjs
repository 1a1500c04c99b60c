module.exports = require('../../index.cjs').registry.constructor
