module.exports = require('#builtin-models').builtinDefinition('Application')
