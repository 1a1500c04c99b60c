module.exports = require('#builtin-models').builtinDefinition('Email')
