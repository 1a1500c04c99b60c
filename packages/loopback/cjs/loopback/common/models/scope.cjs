module.exports = require('#builtin-models').builtinSetUp('Scope')
