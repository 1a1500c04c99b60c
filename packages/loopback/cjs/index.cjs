// Plain JavaScript: `require('loopback')` is a function.
module.exports = require('#require').default
