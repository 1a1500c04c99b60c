'use strict'

module.exports = (Model, options) => {
  Model.defineProperty(options.property, { type: Date })
  Model.observe('before save', (ctx, next) => {
    (ctx.instance || ctx.data)[options.property] = new Date()
    next()
  })
}
