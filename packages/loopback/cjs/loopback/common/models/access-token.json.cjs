module.exports = require('#builtin-models').builtinDefinition('AccessToken')
