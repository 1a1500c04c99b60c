module.exports = require('#builtin-models').builtinSetUp('Application')
