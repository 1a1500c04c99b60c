'use strict'
module.exports = function (word) {
  return function trace (req, res, next) {
    const before = res.getHeader('x-trace')
    res.setHeader('x-trace', before ? before + ',' + word : word)
    next()
  }
}
