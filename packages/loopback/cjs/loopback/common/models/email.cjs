module.exports = require('#builtin-models').builtinSetUp('Email')
