'use strict'

module.exports = Bread => {
  Bread.validatesNumericalityOf('price')

  Bread.cheapest = cb => {
    Bread.findOne({ order: 'price' }, cb)
  }
  Bread.remoteMethod('cheapest', {
    http: { verb: 'get', path: '/cheapest' },
    returns: { arg: 'bread', type: 'Bread', root: true }
  })
}
