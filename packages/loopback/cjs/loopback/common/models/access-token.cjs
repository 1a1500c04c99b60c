module.exports = require('#builtin-models').builtinSetUp('AccessToken')
