module.exports = require('#boot').default
