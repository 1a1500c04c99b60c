module.exports = require('#builtin-models').builtinSetUp('User')
