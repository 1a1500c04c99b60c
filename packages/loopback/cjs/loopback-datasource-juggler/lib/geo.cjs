const { GeoPoint } = require('../../juggler.cjs')

module.exports = { GeoPoint }
