'use strict'

module.exports = (app, cb) => {
  app.models.Bread.create([{ name: 'Rye', price: 4 }, { name: 'Roll', price: 1 }], cb)
}
