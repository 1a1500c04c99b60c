'use strict'
module.exports = function (Model, options) {
  Model.defineProperty('stampedBy', { type: 'string', default: options.by })
}
