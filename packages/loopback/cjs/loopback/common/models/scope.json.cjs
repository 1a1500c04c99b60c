module.exports = require('#builtin-models').builtinDefinition('Scope')
