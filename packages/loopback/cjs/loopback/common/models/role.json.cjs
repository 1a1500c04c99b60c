module.exports = require('#builtin-models').builtinDefinition('Role')
