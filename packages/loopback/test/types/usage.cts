/** How TypeScript that is compiled to CommonJS names the package; only its types are looked at. */
import loopback = require('@fastback/loopback')
import boot = require('@fastback/loopback/boot')

const app = loopback()
loopback.createModel('Note', { title: String })
boot(app, __dirname, error => { if (error === undefined) app.listen() })
// @ts-expect-error -- a folder is a text, or options
boot(app, 3)
