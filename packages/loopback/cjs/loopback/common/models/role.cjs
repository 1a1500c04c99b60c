module.exports = require('#builtin-models').builtinSetUp('Role')
