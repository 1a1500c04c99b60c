const { ModelBuilder } = require('../../juggler.cjs')

module.exports = { ModelBuilder }
