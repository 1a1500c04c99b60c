'use strict'

module.exports = Order => {
  Order.observe('before save', (ctx, next) => {
    if (!ctx.isNewInstance) return next()
    Order.app.models.Bread.findById(ctx.instance.breadId, (err, bread) => {
      if (err) return next(err)
      if (!bread) {
        return next(Object.assign(new Error('There is no such bread'), { statusCode: 422, code: 'NO_SUCH_BREAD' }))
      }
      ctx.instance.total = bread.price * ctx.instance.count
      next()
    })
  })
}
