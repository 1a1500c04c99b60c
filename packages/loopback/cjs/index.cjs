// Plain JavaScript: `require('loopback')` is a function.
module.exports = require('../dist/require.js').default
