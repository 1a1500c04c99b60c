'use strict'
module.exports = function (app, options) {
  app.get(options.path, (req, res) => {
    res.json({ text: options.text.toUpperCase(), componentsSee: Object.keys(app.models).sort() })
  })
}
