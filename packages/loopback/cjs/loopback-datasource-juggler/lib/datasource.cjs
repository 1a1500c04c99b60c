const { DataSource } = require('../../juggler.cjs')

module.exports = { DataSource }
