/** How TypeScript that is compiled to CommonJS names the package; only its types are looked at. */
import loopback = require('@fastback/loopback')
import * as everything from '@fastback/loopback'
import { createDataSource } from '@fastback/loopback'
import boot = require('@fastback/loopback/boot')

const app = loopback()
everything.createModel('Note', { title: String })
createDataSource('db', { connector: 'memory' })
boot(app, __dirname, error => { if (error === undefined) app.listen() })
app.models.Note?.find()
// @ts-expect-error -- a folder is a text, or options
boot(app, 3)
