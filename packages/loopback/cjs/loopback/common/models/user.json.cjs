module.exports = require('#builtin-models').builtinDefinition('User')
