'use strict'
module.exports = function (app, done) {
  app.models.Author.create({ name: 'Ada' }, function (error, author) {
    if (error) return done(error)
    app.models.Note.create([{ title: 'one', writerId: author.id }, { title: 'two' }], done)
  })
}
