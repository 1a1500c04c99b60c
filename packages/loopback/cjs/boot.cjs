module.exports = require('../dist/boot.js').default
