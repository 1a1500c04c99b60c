/** Messages from EJS files: `verify({ template: 'mail.ejs' })`, `loopback.template(file)`. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { MailTemplateError } from '../errors.js'

interface Ejs {
  compile (text: string, options: { filename: string }): (data: object) => string
}

/**
 * A file as a function of what it shows. What is shown is escaped, unless the file says otherwise (`<%- … %>`).
 *
 * ```js
 * const show = ejsTemplate('server/views/welcome.ejs', import.meta.dirname)
 * await Email.send({ to: user.email, html: show({ user }) })
 * ```
 * @param baseDir the application's folder: its own EJS comes first
 * @throws FBK_AUTH_MAIL_TEMPLATE where EJS is not installed
 */
export function ejsTemplate (file: string, baseDir: string): (data: object) => string {
  return loadEjs(file, baseDir).compile(readFileSync(file, 'utf8'), { filename: file })
}

function loadEjs (file: string, baseDir: string): Ejs {
  for (const from of [path.join(baseDir, 'index.js'), import.meta.url]) {
    const require = createRequire(from)
    try {
      return require('ejs') as Ejs
    } catch (error) {
      const { code, message } = error as { code?: unknown, message: string }
      // A module of its own that is missing is another matter.
      if (code !== 'MODULE_NOT_FOUND' || !message.includes('\'ejs\'')) throw error
    }
  }
  throw new MailTemplateError(file)
}
